import Millrace
import MillraceEffects
import MillraceStorage

/// A program that takes orders without end, and hands each over by telling it, which stands for a receiver.
struct Handover: Equatable, Codable, Sendable {
  /// How many orders each customer has made.
  var made: [String: Int] = [:]
  var outbox = DurableOutbox<String>()

  private enum Action: Sendable {
    case outbox(DurableOutboxEvent)
    case storage(StorageEvent)
  }

  static func run(at path: String) async {
    let storage = FileStorage<Handover>(at: path)
    do throws(StorageFailure) {
      let stored = try await storage.load()
      say("loaded \(stored.source)")
      var shop = Saving(stored, or: Handover())
      shop.save { shop in while shop.outbox.entries.count < 6 { shop.order() } }
      let store = Store(initialState: shop) { (shop: inout Saving<Handover>, action: Action) in
        switch action {
        case .outbox(let event):
          shop.save { shop in
            shop.outbox.reduce(event)
            shop.order()
          }
        case .storage(.failed(let failure, _, _)): say("failed \(failure)")
        case .storage(let event): shop.reduce(event)
        }
      }
      let deliveries = DurableOutboxEffect(\Handover.outbox) { entry in
        say("delivered \(entry.key) \(entry.payload)")
        return .received
      }
      store.connect(deliveries, to: \.self, action: Action.outbox)
      store.connect(StorageEffect(storage), to: \.self, action: Action.storage)
      await inputEnded()
      await store.shutdown()
    } catch {
      say("failed \(error)")
    }
  }

  private mutating func order() {
    let customer = "c\(made.values.reduce(0, +) % 3)"
    made[customer, default: 0] += 1
    outbox.append("\(customer):\(made[customer, default: 0])", lane: customer)
  }
}
