import Millrace
import MillraceEffects
import MillraceStorage

/// A program that takes orders without end, and hands each over by telling it, which stands for a receiver. The values
/// say how many orders each customer has made.
enum Handover {
  private typealias Shop = DurableOutbox<String, String, Int>

  private enum Action: Sendable {
    case outbox(DurableOutboxEvent<Never>)
    case journal(Shop.Journal)
  }

  static func run(at path: String) async {
    let storage = Shop.Storage(at: path)
    let store = Store(initialState: Shop()) { (shop: inout Shop, action: Action) in
      switch action {
      case .outbox(let event):
        shop.reduce(event)
        order(in: &shop)
      case .journal(.failed(let failure, _, _)): say("failed \(failure)")
      case .journal(let event):
        shop.reduce(event)
        guard case .loaded(let stored) = event else { return }
        say("loaded \(stored.damaged.isEmpty ? "whole" : "damaged")")
        while shop.count < 6 { order(in: &shop) }
      }
    }
    let deliveries = DurableOutboxEffect<String, Never> { entry in
      say("delivered \(entry.key) \(entry.payload)")
      return .received()
    }
    store.connect(deliveries, to: \.due, action: Action.outbox)
    store.connect(JournalEffect(storage), to: \.backlog, action: Action.journal)
    await inputEnded()
    await store.shutdown()
  }

  private static func order(in shop: inout Shop) {
    let customer = "c\(shop.values.values.reduce(0, +) % 3)"
    shop[customer, default: 0] += 1
    shop.append("\(customer):\(shop[customer, default: 0])", lane: customer)
  }
}
