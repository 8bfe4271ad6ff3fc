import Millrace

/// The cost of calling a closure for every action, and an observer for every event.
enum Observing {
  static let cases = [
    BenchmarkCase(name: "observe/on-action/10", unit: "ns/call") { effort in
      try await calls(effort.count(20_000), observers: 10) { store, seen in
        store.onAction { _, _ in seen.count += 1 }
      }
    },
    BenchmarkCase(name: "observe/events/10", unit: "ns/event") { effort in
      try await calls(effort.count(20_000), observers: 10, each: 2) { store, seen in
        store.observe(Witness(seen))
      }
    },
  ]

  /// Counts the events that one observer received.
  private final class Seen: @unchecked Sendable {  // an observer is called by one thread at a time
    var count = 0
  }

  private final class Witness: StoreObserver {
    private let seen: Seen
    init(_ seen: Seen) { self.seen = seen }
    func observe(_ event: StoreEvent) {
      if case .willReduce = event.kind { seen.count += 1 }
      if case .didReduce = event.kind { seen.count += 1 }
    }
  }

  /// - Parameter each: the number of calls of an observer for an action.
  private static func calls(
    _ actions: Int, observers count: Int, each: Int = 1,
    _ connect: (Store<Counting, Counting.Action>, Seen) -> Connection
  ) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let seen = (0..<count).map { _ in Seen() }
    for one in seen { _ = connect(store, one) }
    await store.settled()
    let watch = Stopwatch()
    for _ in 0..<actions { store.dispatch(.increment) }
    await store.settled()
    let cost = watch.nanoseconds(per: actions * count * each)
    try expect("calls", seen.map(\.count), is: Array(repeating: actions * each, count: count))
    return cost
  }
}
