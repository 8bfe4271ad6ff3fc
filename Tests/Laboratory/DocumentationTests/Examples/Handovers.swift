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
  typealias Shop = DurableOutbox<Order, String, Int>  // orders, and for each customer how many there were

  struct FormerShop: Codable, Equatable, Sendable { var outbox: FormerOutbox<Order> }

  struct Warehouse: Equatable, Codable, Sendable {
    var packed: [Order] = []
    var inbox = Inbox()
  }

  enum AppAction: Sendable {
    case ordered(Order)
    case outbox(DurableOutboxEvent<Never>)
    case journal(Shop.Journal)
    case found(FormerShop)
    case delivered(Order, OutboxKey)
    case storage(StorageEvent)
    case post(String)
  }

  struct State: Equatable, Sendable {
    var shop = Shop()
    var warehouse = Saving(StoredValue(), or: Warehouse())

    static func reduce(_ state: inout State, _ action: AppAction) {
      switch action {
      // DurableOutbox
      case .ordered(let order):
        guard state.shop.isLoaded else { return }  // how many there were is not known yet
        state.shop[order.customer, default: 0] += 1
        state.shop.append(order, lane: order.customer)
      case .outbox(let event): state.shop.reduce(event)
      case .journal(let event): state.shop.reduce(event)
      case .found(let former): state.shop.adopt(former.outbox)
      // Inbox
      case .delivered(let order, let key):
        state.warehouse.save { warehouse in
          if warehouse.inbox.accept(key, lane: order.customer) { warehouse.packed.append(order) }
        }
      case .storage(let event): state.warehouse.reduce(event)
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
    let storage = Shop.Storage(at: path)
    let warehouse = Peer()
    let store = Store(initialState: State(), reduce: State.reduce)
    // DurableOutboxEffect
    let deliveries = DurableOutboxEffect<Order, Never> { entry in
      try await warehouse.put(entry.payload, key: "\(entry.key)")
      return .received()
    }
    store.connect(deliveries, to: \.shop.due, action: AppAction.outbox)
    store.connect(JournalEffect(storage), to: \.shop.backlog, action: AppAction.journal)
    let order = Order(customer: "ann", item: "tea")
    await store.settled()
    store.dispatch(.ordered(order))
    await store.settled()
    let keys = warehouse.keys.values
    #expect(keys.count == 1 && store.state.shop.count == 0)
    let key = try #require(OutboxKey(keys[0]))
    for _ in 1...2 { await store.send(.delivered(order, key)) }
    #expect(store.state.warehouse.value.packed == [order])
    try await storage.remove()
  }

  @Test("what an outbox keeps is read and changed from outside")
  func operated() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"
    let storage = Shop.Storage(at: path)
    let warehouse = Peer()
    let store = Store(initialState: State(), reduce: State.reduce)
    // KeptWork
    let deliveries = DurableOutboxEffect<Order, Never>(operated: storage.path) { entry in
      try await warehouse.put(entry.payload, key: "\(entry.key)")
      return .received()
    }
    store.connect(deliveries, to: \.shop.due, action: AppAction.outbox, longRunning: true)
    store.connect(JournalEffect(storage), to: \.shop.backlog, action: AppAction.journal)
    _ = await store.first { $0.shop.isLoaded }
    await store.send(.ordered(Order(customer: "ann", item: "tea")))
    _ = await store.first { $0.shop.count == 0 && $0.shop.isSaved }
    let work = try KeptWork(contentsOf: path)
    print(work.text())
    #expect(work.kind == .outbox && work.lanes.isEmpty && work.entries.map(\.json) == ["1"])
    #expect(work.refusal(of: .pause(lane: "ann")) == "the lane \"ann\" is not there")
    await store.shutdown()
    try await storage.remove()
  }

  @Test("a key has a text")
  func key() {
    // OutboxKey
    let key = OutboxKey(epoch: 0xA1, number: 7)
    print(key, key.revised)  // 00000000000000a1-7 00000000000000a1-7.1
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

  struct LookUpEffect: EffectComponent {
    let service: Service
    func requests(in words: [String: String?]) -> Set<String> {
      Set(words.filter { $0.value == nil }.keys)
    }
    func run(_ word: String, send: Send<String>) async { await send(word) }
  }

  struct Drafts: Equatable, Sendable {
    var words = Journaling<String, String?>()
    var drafts = Saving(Set<String>())
    var mail = Saving(Mail())
  }

  enum WordAction: Sendable {
    case lookedUp(String)
    case journal(JournalEvent<String, String?>)
  }

  private func connect(_ store: Store<Drafts, WordAction>, _ storage: JournalStorage<String, String?>) {
    typealias AppAction = WordAction
    let service = Service()
    // WhenJournaledEffect
    store.connect(LookUpEffect(service: service).whenSaved(), to: \.words, action: AppAction.lookedUp)
    store.connect(JournalEffect(storage), to: \.words.backlog, action: AppAction.journal)
  }

  private func connect(_ store: Store<Drafts, AppAction>, _ storage: FileStorage<Set<String>>) {
    let service = Service()
    // WhenSavedEffect
    store.connect(PostEffect(service: service).whenSaved(), to: \.drafts, action: AppAction.post)
    store.connect(StorageEffect(storage), to: \.drafts, action: AppAction.storage)
    store.connect(PostEffect(service: service).whenSaved(\Mail.drafts), to: \.mail, action: AppAction.post)
  }
}
