import Millrace
import MillraceEffects
import MillraceStorage

/// Books each packed order once.
enum Warehouse {
  struct Book: Equatable, Codable, Sendable {
    var inbox = Inbox()
    /// The positions up to which the logs of the partitions are read.
    var positions: [Int: String] = [:]
    /// The number of the last order of each customer.
    var last: [String: Int] = [:]
    var repeats = 0
    /// Orders that were lost, booked twice or out of order. Empty, unless a promise is broken.
    var violations: [String] = []
    /// Contents that cannot be read, each with its place.
    var aside: [String] = []

    var total: Int { last.values.reduce(0, +) }

    mutating func arrived(_ queued: [Queued], from partition: Int) {
      for queued in queued {
        positions[partition] = queued.position
        guard case .message(let message) = queued.content else {
          aside.append("partition \(partition), \(queued.position): \(queued.content)")
          continue
        }
        let order = message.order
        guard inbox.accept(message.key, lane: order.customer) else {
          repeats += 1
          continue
        }
        let expected = last[order.customer, default: 0] + 1
        if order.number != expected || !order.isPacked {
          violations.append("\(order) in the place of \(expected)")
        }
        last[order.customer] = order.number
      }
    }
  }

  enum Action: Codable, Sendable {
    case arrived([Queued], from: Int)
    case failed(String)
    case storage(StorageEvent)
  }

  static let reduce: Reducer<Saving<Book>, Action> = { book, action in
    switch action {
    case .arrived(let queued, let partition): book.save { $0.arrived(queued, from: partition) }
    case .failed: break
    case .storage(let event): book.reduce(event)
    }
  }

  /// A position of a log: either to read from, or up to which the log may be forgotten.
  struct Place: Hashable, Sendable {
    var partition: Int
    var position: String
  }

  /// Waits for messages after a position.
  struct Reading<E: Engine>: EffectComponent {
    let engine: E

    func requests(in book: Saving<Book>) -> Set<Place> {
      Set((0..<partitionCount).map { Place(partition: $0, position: book.value.positions[$0] ?? "") })
    }

    func run(_ place: Place, send: Send<Action>) async {
      let clock = ContinuousClock()
      while !Task.isCancelled {
        do {
          let queued = try await engine.packed(in: place.partition, after: place.position, limit: 256)
          if !queued.isEmpty {
            await send(.arrived(queued, from: place.partition))
            return
          }
          try await clock.sleep(for: .milliseconds(20))
        } catch {
          await send(.failed("\(error)"))
          try? await clock.sleep(for: .milliseconds(200))
        }
      }
    }
  }

  /// Lets the engine forget what the warehouse has on its own disk.
  struct Forgetting<E: Engine>: EffectComponent {
    let engine: E

    func id(of place: Place) -> Int { place.partition }
    func requests(in book: Book) -> Set<Place> {
      Set(book.positions.map { Place(partition: $0.key, position: $0.value) })
    }
    func run(_ place: Place, send: Send<Action>) async {
      // A failure does not matter: the next call forgets more.
      try? await engine.forget(place.partition, upTo: place.position)
    }
  }

  static func connect(
    to store: Store<Saving<Book>, Action>, storage: FileStorage<Book>, engine: some Engine
  ) {
    store.connect(Reading(engine: engine), longRunning: true)
    store.connect(Forgetting(engine: engine).whenSaved())
    store.connect(StorageEffect(storage), to: \.self, action: Action.storage)
  }
}
