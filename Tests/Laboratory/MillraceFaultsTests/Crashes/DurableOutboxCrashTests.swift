import Foundation
import Millrace
import MillraceEffects
import MillraceFaults
import MillraceStorage
import MillraceTestStore
import Testing

/// A shop that hands its orders over.
private enum Shop {
  struct Book: Equatable, Sendable {
    var sold = 0
    var outbox = DurableOutbox<String>(epoch: 1)
  }

  struct State: Equatable, Sendable {
    var book = Saving(StoredValue(), or: Book())
  }

  enum Action: Equatable, Sendable {
    case ordered(String)
    case outbox(DurableOutboxEvent)
    case storage(StorageEvent)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .ordered(let order):
      state.book.save { book in
        book.sold += 1
        book.outbox.append(order)
      }
    case .outbox(let event): state.book.save { $0.outbox.reduce(event) }
    case .storage(let event): state.book.reduce(event)
    }
  }

  /// Delivers at once what the state asks for.
  struct EagerDeliveries: EffectComponent {
    func requests(in book: Saving<Book>) -> Set<DurableOutbox<String>.Entry> {
      Set(book.value.outbox.entries.prefix(1))
    }
    func run(_ entry: DurableOutbox<String>.Entry, send: Send<DurableOutboxEvent>) async {}
  }

  static func connect(to store: Store<State, Action>, isEager: Bool = false) {
    let storage = FileStorage<Int>(at: "/nowhere")  // answered by hand
    let saves = StorageEffect(FileStorage<Book>(at: storage.path, format: .none))
    store.connect(saves, to: \.book, action: Action.storage)
    if isEager {
      store.connect(EagerDeliveries(), to: \.book, action: Action.outbox)
    } else {
      let deliveries = DurableOutboxEffect(\Book.outbox) { _ in .received }
      store.connect(deliveries, to: \.book, action: Action.outbox)
    }
  }

  /// The book as a save of the state would leave it.
  static func persisted(_ state: State) -> State {
    let book = StoredValue(value: state.book.value, generation: state.book.generation, source: .current)
    return State(book: Saving(book, or: Book()))
  }
}

extension StorageFormat where Value == Shop.Book {
  fileprivate static var none: Self {
    StorageFormat(
      version: 1,
      encode: { _ in
        Issue.record("a crash trial writes nothing")
        return Data()
      }, decode: { _, _ in Shop.Book() })
  }
}

@Suite struct DurableOutboxCrashTests {
  private let entry = DurableOutbox<String>.Entry(key: OutboxKey(epoch: 1, number: 1), payload: "tea")

  private func report(isEager: Bool) async -> CrashReport {
    await CrashAnywhere<Shop.State, Shop.Action>(
      initialState: Shop.State(), reduce: Shop.reduce, persisting: Shop.persisted,
      connect: { Shop.connect(to: $0, isEager: isEager) }
    )
    .comparing(\.book.value)
    .saving(by: SaveRequest<Shop.Book>.self, before: DurableOutbox<String>.Entry.self)
    .run { store in
      store.exhaustivity = .requests
      store.send(.ordered("tea"))
      save(1, in: store)
      store.answer(entry, with: DurableOutboxEvent.confirmed(entry.key))
      save(2, in: store)
      await store.finish()
    }
  }

  private func save(_ generation: UInt64, in store: TestStore<Shop.State, Shop.Action>) {
    guard let request = store.state.book.wanted else { return }
    store.send(StorageEvent.began(generation: generation), from: request)
    store.send(StorageEvent.saved(generation: generation), from: request)
  }

  @Test("a program that ends anywhere delivers nothing that its next life knows nothing of")
  func clean() async {
    let report = await report(isEager: false)
    #expect(report.isClean, "\(report)")
  }

  @Test("an outbox that delivers at once is found")
  func eager() async {
    let report = await report(isEager: true)
    #expect(!report.unsavedRequests.isEmpty, "\(report)")
  }

  @Test("an entry is asked for when its save has been answered")
  func byHand() async {
    let store = TestStore(initialState: Shop.State(), reduce: Shop.reduce) { Shop.connect(to: $0) }
    store.exhaustivity = .requests
    store.send(.ordered("tea"))
    save(1, in: store)
    store.send(.ordered("milk"))
    store.answer(entry, with: DurableOutboxEvent.confirmed(entry.key))
    save(2, in: store)
    save(3, in: store)
    let next = DurableOutbox<String>.Entry(key: OutboxKey(epoch: 1, number: 2), payload: "milk")
    store.answer(next, with: DurableOutboxEvent.confirmed(next.key))
    save(4, in: store)
    await store.finish()
  }
}
