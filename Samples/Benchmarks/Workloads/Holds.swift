import Millrace

/// Measures the longest delay of the reducer queue for a reader of the state. Meanwhile one action adds or removes a
/// hundred thousand elements with a component each.
enum Holds {
  static let cases = [
    BenchmarkCase(name: "holds/removed/100000", unit: "ns, longest") { effort in
      try await longestWait(rows: effort.count(100_000), inserting: false)
    },
    BenchmarkCase(name: "holds/inserted/100000", unit: "ns, longest") { effort in
      try await longestWait(rows: effort.count(100_000), inserting: true)
    },
  ]

  private enum Action: Sendable {
    case filled(Int)
    case emptied
  }

  private static func longestWait(rows: Int, inserting: Bool) async throws -> Double {
    let watchers = (0..<rows).map { _ in Watcher() }
    let store = Store(initialState: Keyed.State(rows: KeyedArray())) { (state, action: Action) in
      switch action {
      case .filled(let count):
        state.rows = KeyedArray(uniqueElements: (0..<count).map { Keyed.Row(id: $0) })
      case .emptied: state.rows = KeyedArray()
      }
    }
    store.connectEach(\.rows, action: rowAction) { $1.connect(watchers[$0], to: \.value) }
    if !inserting { store.dispatch(.filled(rows)) }
    await store.settled()
    let looker = Looker(store)
    store.dispatch(inserting ? .filled(rows) : .emptied)
    await store.settled()
    let longest = await looker.stop()
    if inserting {
      // Counts deliveries instead of listing all connections, which takes longer than the measured work.
      try expect("updated", watchers.count { $0.deliveries == 1 }, is: rows)
    } else {
      try expect("connected", store.activity.entries.count, is: 1)
    }
    return longest
  }

  /// Never called: nothing is sent through the rows' own stores.
  private static func rowAction(_ id: Int, _: Never) -> Action {}

  /// Reads the state repeatedly on its own thread, and keeps the longest time of a read.
  private final class Looker: Sendable {
    private let isDone: Lock<Bool>
    private let looking: Task<Double, Never>

    init(_ store: Store<Keyed.State, Action>) {
      let isDone = Lock(false)
      self.isDone = isDone
      looking = Task.detached {
        var longest = 0.0
        while !isDone.withLock(\.self) {
          let watch = Stopwatch()
          _ = store.state.rows.count
          longest = max(longest, watch.nanoseconds(per: 1))
        }
        return longest
      }
    }

    func stop() async -> Double {
      isDone.withLock { $0 = true }
      return await looking.value
    }
  }
}
