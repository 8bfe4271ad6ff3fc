import Millrace

/// Many watchers, each on its own slice; every action changes one slice.
///
/// Uses an immediate store, where each action is its own batch. So every action pays the whole cost of finding the
/// affected watchers, and conflation spares only updates of a watcher that is still busy. `flood` does the same on the
/// reducer queue, where watchers are served once per drained batch.
enum FanOut {
  static let cases: [BenchmarkCase] =
    [10, 100, 1_000, 10_000].map { watchers in
      BenchmarkCase(name: "fan-out/flat/\(watchers)", unit: "ns/action") { effort in
        try await increments(effort, watchers: watchers, on: .immediate, connect: connectFlat)
      }
    }
    + [10, 100, 1_000, 10_000].map { watchers in
      BenchmarkCase(name: "fan-out/grouped/\(watchers)", unit: "ns/action") { effort in
        try await increments(effort, watchers: watchers, on: .immediate, connect: connectGrouped)
      }
    }
    + [
      BenchmarkCase(name: "fan-out/flood/1000", unit: "ns/action") { effort in
        try await increments(effort, watchers: 1_000, on: .serial(), connect: connectFlat)
      }
    ]

  private static func connectFlat(_ watchers: [Watcher], to store: Store<Grid, Grid.Action>) {
    for (watcher, counter) in zip(watchers, Grid.counters) { store.connect(watcher, to: counter.keyPath) }
  }

  private static func connectGrouped(_ watchers: [Watcher], to store: Store<Grid, Grid.Action>) {
    for first in stride(from: 0, to: watchers.count, by: Grid.groupSize) {
      let path = Grid.groups[first / Grid.groupSize].keyPath
      let group = store.scope(path, action: { (action: Grid.Action) in action })
      for (watcher, cell) in zip(watchers[first...], Grid.cellsOfGroup) {
        group.connect(watcher, to: cell.keyPath)
      }
    }
  }

  private static func increments(
    _ effort: Effort, watchers count: Int, on queue: ReducerQueue,
    connect: ([Watcher], Store<Grid, Grid.Action>) -> Void
  ) async throws -> Double {
    let rounds = max(1, effort.count(min(100_000, 20_000_000 / count)) / count)
    let store = Store(initialState: Grid(), on: queue, reduce: Grid.reduce)
    let watchers = (0..<count).map { _ in Watcher() }
    connect(watchers, store)
    await store.settled()
    try expect("first props", watchers.count { $0.deliveries == 1 && $0.last == 0 }, is: count)
    let watch = Stopwatch()
    for _ in 0..<rounds {
      for index in 0..<count { store.dispatch(.increment(index)) }
    }
    await store.settled()
    let cost = watch.nanoseconds(per: rounds * count)
    try expect("latest props", watchers.count { $0.last == rounds }, is: count)
    try expect("in order", watchers.count(where: \.isAscending), is: count)
    return cost
  }
}
