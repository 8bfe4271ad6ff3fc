import Millrace
import MillraceEffects
import MillraceStorage

/// Takes orders, and hands each over to the engine.
enum Shop {
  /// The orders, and the number of orders of each customer.
  typealias Book = DurableOutbox<Order, String, Int>

  struct State: Sendable {
    var book = Book()
    /// The total number of orders.
    let goal: Int
    /// The largest number of orders in transit.
    let atOnce: Int
    let customers: Int
  }

  enum Action: Codable, Sendable {
    case outbox(DurableOutboxEvent<Never>)
    case journal(Book.Journal)
  }

  static let reduce: Reducer<State, Action> = { state, action in
    switch action {
    case .outbox(let event):
      state.book.reduce(event)
      fill(&state)
    case .journal(let event):
      state.book.reduce(event)
      if case .loaded = event { fill(&state) }
    }
  }

  private static func fill(_ state: inout State) {
    var total = state.book.values.values.reduce(0, +)
    while total < state.goal, state.book.count < state.atOnce {
      let customer = "customer \(total % state.customers)"
      state.book[customer, default: 0] += 1
      let order = Order(customer: customer, number: state.book[customer, default: 0])
      state.book.append(order, lane: customer)
      total += 1
    }
  }

  static func connect(to store: Store<State, Action>, storage: Book.Storage, engine: some Engine) {
    let deliveries = DurableOutboxEffect<Order, Never>(
      lanes: 64, backoff: Backoff(first: .milliseconds(50), cap: .seconds(1)), operated: storage.path
    ) { entry in
      let message = Message(key: entry.key, order: entry.payload)
      try await engine.put(message, in: entry.payload.partition(of: partitionCount))
      return .received()
    }
    store.connect(deliveries, to: \.book.due, action: Action.outbox, longRunning: true)
    store.connect(JournalEffect(storage), to: \.book.backlog, action: Action.journal)
  }
}
