import Millrace

/// Components come and go: each is connected, gets its first props, and is disconnected.
enum Churn {
  static let cases = [
    BenchmarkCase(name: "churn/connects", unit: "ns/connect", baseline: [Baselines.task]) { effort in
      try await connects(effort.count(100), atOnce: 1_000)
    }
  ]

  private static func connects(_ rounds: Int, atOnce count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let watchers = (0..<count).map { _ in Watcher() }
    let watch = Stopwatch()
    for round in 0..<rounds {
      let connections = watchers.map { store.connect($0, to: \.count) }
      store.dispatch(.increment)
      await store.settled()
      for connection in connections { connection.disconnect() }
      try expect("latest props", watchers.count { $0.last == round + 1 }, is: count)
    }
    let cost = watch.nanoseconds(per: rounds * count)
    try expect("connections left", store.activity.entries.count, is: 0)
    return cost
  }
}
