import Foundation
import Millrace
import MillraceEffects
import MillraceFaults
import MillraceStorage
import MillraceTestStore
import Testing

/// A shop that hands its orders over.
private enum Shop {
  typealias Book = DurableOutbox<String, String, Int>
  typealias Delivery = DurableOutboxEffect<String, Never>.Request

  struct State: Equatable, Sendable {
    var book = Shop.loaded([:])
  }

  enum Action: Equatable, Sendable {
    case ordered(String)
    case outbox(DurableOutboxEvent<Never>)
    case journal(Book.Journal)
  }

  static func loaded(_ records: Book.Records) -> Book {
    var book = Book(epoch: 1, lastNumber: 0)
    book.reduce(.loaded(StoredEntries(entries: records)))
    return book
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .ordered(let order):
      state.book["sold", default: 0] += 1
      state.book.append(order)
    case .outbox(let event): state.book.reduce(event)
    case .journal(let event): state.book.reduce(event)
    }
  }

  /// Delivers at once what the state asks for.
  struct EagerDeliveries: EffectComponent {
    func requests(in book: Book) -> Set<Delivery> { Set(book.entries.prefix(1).map { .deliver($0) }) }
    func run(_ delivery: Delivery, send: Send<DurableOutboxEvent<Never>>) async {}
  }

  static func connect(to store: Store<State, Action>, isEager: Bool = false) {
    let saves = JournalEffect(Book.Storage(at: "/nowhere"))  // answered by hand
    store.connect(saves, to: \.book.backlog, action: Action.journal)
    if isEager {
      store.connect(EagerDeliveries(), to: \.book, action: Action.outbox)
    } else {
      let deliveries = DurableOutboxEffect<String, Never> { _ in .received() }
      store.connect(deliveries, to: \.book.due, action: Action.outbox)
    }
  }
}

@Suite struct DurableOutboxCrashTests {
  private let first = OutboxKey(epoch: 1, number: 1)

  private func delivery(_ number: UInt64, _ payload: String) -> Shop.Delivery {
    .deliver(OutboxEntry(key: OutboxKey(epoch: 1, number: number), payload: payload))
  }

  private func report(isEager: Bool) async -> CrashReport {
    await CrashAnywhere<Shop.State, Shop.Action>(
      initialState: Shop.State(), reduce: Shop.reduce,
      persisting: { Shop.State(book: Shop.loaded($0.book.records)) },
      connect: { Shop.connect(to: $0, isEager: isEager) }
    )
    .comparing(\.book.records)
    .saving(
      by: JournalRequest<OutboxRecordKey<String>, OutboxRecord<String, Int>>.self, before: Shop.Delivery.self
    )
    .run { store in
      store.exhaustivity = .requests
      store.send(.ordered("tea"))
      save(in: store)
      store.answer(delivery(1, "tea"), with: DurableOutboxEvent<Never>.confirmed(first, nil))
      save(in: store)
      await store.finish()
    }
  }

  private func save(in store: TestStore<Shop.State, Shop.Action>) {
    guard let request = store.state.book.backlog.wanted else { return }
    store.answer(request, with: Shop.Book.Journal.saved(generation: store.state.book.backlog.generation))
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
    save(in: store)
    store.send(.ordered("milk"))
    store.answer(delivery(1, "tea"), with: DurableOutboxEvent<Never>.confirmed(first, nil))
    save(in: store)
    save(in: store)
    let next = OutboxKey(epoch: 1, number: 2)
    store.answer(delivery(2, "milk"), with: DurableOutboxEvent<Never>.confirmed(next, nil))
    save(in: store)
    await store.finish()
  }
}
