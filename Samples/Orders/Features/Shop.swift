import Millrace
import MillraceEffects
import MillraceStorage

/// Takes orders, and hands each over.
enum Shop {
  struct Book: Equatable, Codable, Sendable {
    /// How many orders each customer has made.
    var made: [String: Int] = [:]
    var outbox = DurableOutbox<Order>()

    var total: Int { made.values.reduce(0, +) }

    mutating func order(from customer: String) {
      made[customer, default: 0] += 1
      outbox.append(Order(customer: customer, number: made[customer, default: 0]), lane: customer)
    }
  }

  struct State: Sendable {
    var book: Saving<Book>
    /// How many orders there will be.
    let goal: Int
    /// How many may be on their way at once.
    let atOnce: Int
    let customers: Int
  }

  enum Action: Codable, Sendable {
    case opened
    case outbox(DurableOutboxEvent)
    case storage(StorageEvent)
  }

  static let reduce: Reducer<State, Action> = { state, action in
    switch action {
    case .opened: fill(&state)
    case .outbox(let event):
      state.book.save { $0.outbox.reduce(event) }
      fill(&state)
    case .storage(let event): state.book.reduce(event)
    }
  }

  private static func fill(_ state: inout State) {
    let (goal, atOnce, customers) = (state.goal, state.atOnce, state.customers)
    state.book.save { book in
      while book.total < goal, book.outbox.entries.count < atOnce {
        book.order(from: "customer \(book.total % customers)")
      }
    }
  }

  static func connect(to store: Store<State, Action>, storage: FileStorage<Book>, engine: some Engine) {
    let deliveries = DurableOutboxEffect(
      \Book.outbox, lanes: 64, backoff: Backoff(first: .milliseconds(50), cap: .seconds(1))
    ) { entry in
      let message = Message(key: entry.key, order: entry.payload)
      try await engine.put(message, in: entry.payload.partition(of: partitionCount))
      return .received
    }
    store.connect(deliveries, to: \.book, action: Action.outbox)
    store.connect(StorageEffect(storage), to: \.book, action: Action.storage)
  }
}
