import Millrace

/// A thousand watchers of one slice that every action changes; nothing is conflated.
enum Notify {
  static let cases = [
    BenchmarkCase(name: "notify/one-slice/1000", unit: "ns/notification", baseline: [Baselines.task]) {
      effort in
      try await notifications(effort.count(200), watchers: 1_000)
    }
  ]

  private static func notifications(_ actions: Int, watchers count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let watchers = (0..<count).map { _ in Watcher() }
    for watcher in watchers { store.connect(watcher, to: \.count) }
    await store.settled()
    let watch = Stopwatch()
    for _ in 0..<actions {
      store.dispatch(.increment)
      await store.settled()
    }
    let cost = watch.nanoseconds(per: actions * count)
    try expect("notifications", watchers.reduce(0) { $0 + $1.deliveries }, is: (actions + 1) * count)
    try expect("latest props", watchers.count { $0.last == actions }, is: count)
    return cost
  }
}
