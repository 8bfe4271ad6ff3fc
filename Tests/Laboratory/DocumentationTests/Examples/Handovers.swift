import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import Testing

@Suite struct HandoverExamples {
  struct Order: Hashable, Codable, Sendable {
    var customer: String
    var item: String
  }

  // DurableOutbox
  struct Shop: Equatable, Codable, Sendable {
    var sold = 0
    var outbox = DurableOutbox<Order>()
  }

  struct Warehouse: Equatable, Codable, Sendable {
    var packed: [Order] = []
    var inbox = Inbox()
  }

  enum AppAction: Sendable {
    case ordered(Order)
    case outbox(DurableOutboxEvent)
    case delivered(Order, OutboxKey)
    case storage(StorageEvent)
    case post(String)
  }

  struct State: Equatable, Sendable {
    var shop = Saving(StoredValue(), or: Shop())
    var warehouse = Saving(StoredValue(), or: Warehouse())

    static func reduce(_ state: inout State, _ action: AppAction) {
      switch action {
      // DurableOutbox
      case .ordered(let order):
        state.shop.save { shop in
          shop.sold += 1
          shop.outbox.append(order, lane: order.customer)
        }
      case .outbox(let event): state.shop.save { $0.outbox.reduce(event) }
      // Inbox
      case .delivered(let order, let key):
        state.warehouse.save { warehouse in
          if warehouse.inbox.accept(key, lane: order.customer) { warehouse.packed.append(order) }
        }
      case .storage(let event): state.shop.reduce(event)
      case .post: break
      }
    }
  }

  struct Peer: Sendable {
    let keys = Recorder<String>()
    func put(_ order: Order, key: String) async throws { keys.append(key) }
  }

  @Test("an order is handed over once it is on disk, and applied once")
  func handedOver() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"
    let storage = FileStorage<Shop>(at: path)
    let warehouse = Peer()
    let store = Store(initialState: State(), reduce: State.reduce)
    // DurableOutboxEffect
    let deliveries = DurableOutboxEffect(\Shop.outbox) { entry in
      try await warehouse.put(entry.payload, key: "\(entry.key)")
      return .received
    }
    store.connect(deliveries, to: \.shop, action: AppAction.outbox)
    store.connect(StorageEffect(storage), to: \.shop, action: AppAction.storage)
    let order = Order(customer: "ann", item: "tea")
    store.dispatch(.ordered(order))
    await store.settled()
    let keys = warehouse.keys.values
    #expect(keys.count == 1 && store.state.shop.value.outbox.entries.isEmpty)
    let key = try #require(OutboxKey(keys[0]))
    for _ in 1...2 { await store.send(.delivered(order, key)) }
    #expect(store.state.warehouse.value.packed == [order])
    try await storage.remove()
  }

  @Test("a key has a text")
  func key() {
    // OutboxKey
    let key = OutboxKey(epoch: 0xA1, number: 7)
    print(key)  // 00000000000000a1-7
    #expect(OutboxKey("\(key)") == key)
  }

  // MARK: Any effect

  struct Service: Sendable {}
  struct Mail: Equatable, Codable, Sendable { var drafts: Set<String> = [] }

  struct PostEffect: EffectComponent {
    let service: Service
    func requests(in drafts: Set<String>) -> Set<String> { drafts }
    func run(_ draft: String, send: Send<String>) async { await send(draft) }
  }

  struct Drafts: Equatable, Sendable {
    var drafts = Saving(Set<String>())
    var mail = Saving(Mail())
  }

  private func connect(_ store: Store<Drafts, AppAction>, _ storage: FileStorage<Set<String>>) {
    let service = Service()
    // WhenSavedEffect
    store.connect(PostEffect(service: service).whenSaved(), to: \.drafts, action: AppAction.post)
    store.connect(StorageEffect(storage), to: \.drafts, action: AppAction.storage)
    store.connect(PostEffect(service: service).whenSaved(\Mail.drafts), to: \.mail, action: AppAction.post)
  }
}
