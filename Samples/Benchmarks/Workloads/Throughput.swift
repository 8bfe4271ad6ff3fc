import Dispatch
import Millrace

/// Increments of an unwatched counter, dispatched as fast as possible, until all are reduced.
enum Throughput {
  static let cases = [
    BenchmarkCase(
      name: "throughput/one-thread", unit: "ns/action", baseline: [Baselines.dispatchAsync], target: 0.25
    ) { effort in
      try await increments(effort.count(1_000_000), threads: 1)
    },
    BenchmarkCase(
      name: "throughput/two-threads", unit: "ns/action", baseline: [Baselines.dispatchAsyncTwoThreads]
    ) { effort in
      try await increments(effort.count(1_000_000), threads: 2)
    },
  ]

  private static func increments(_ count: Int, threads: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let share = count / threads
    let watch = Stopwatch()
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      for _ in 0..<share { store.dispatch(.increment) }
    }
    await store.settled()
    let cost = watch.nanoseconds(per: share * threads)
    try expect("actions reduced", store.state.count, is: share * threads)
    return cost
  }
}
