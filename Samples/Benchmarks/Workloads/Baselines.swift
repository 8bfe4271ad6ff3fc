import Dispatch
import Millrace

/// The costs of the machine and the language alone.
enum Baselines {
  static let dispatchAsync = "baseline/dispatch-async"
  static let dispatchAsyncTwoThreads = "baseline/dispatch-async-two-threads"
  static let dispatchHop = "baseline/dispatch-hop"
  static let task = "baseline/task"
  static let reduce = "baseline/reduce"
  static let lockedReduce = "baseline/locked-reduce"

  static let cases = [
    BenchmarkCase(name: dispatchAsync, unit: "ns/action") { effort in
      try await blocks(effort.count(500_000), threads: 1)
    },
    BenchmarkCase(name: dispatchAsyncTwoThreads, unit: "ns/action") { effort in
      try await blocks(effort.count(500_000), threads: 2)
    },
    BenchmarkCase(name: dispatchHop, unit: "ns/there-and-back") { effort in
      try await hops(effort.count(20_000))
    },
    BenchmarkCase(name: task, unit: "ns/task") { effort in
      try await tasks(effort.count(50_000))
    },
    BenchmarkCase(name: reduce, unit: "ns/action") { effort in
      try reductions(effort.count(10_000_000))
    },
    BenchmarkCase(name: lockedReduce, unit: "ns/action") { effort in
      try lockedReductions(effort.count(5_000_000))
    },
  ]

  /// A counter that a serial queue guards.
  private final class Box: @unchecked Sendable {  // touched on one serial queue at a time
    var state = Counting()
  }

  /// Runs one block per action on a serial queue, until all have run.
  private static func blocks(_ count: Int, threads: Int) async throws -> Double {
    let queue = DispatchQueue(label: "baseline")
    let box = Box()
    let watch = Stopwatch()
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for _ in 0..<count / threads { queue.async { Counting.reduce(&box.state, .increment) } }
    }
    let reached = await withUnsafeContinuation { continuation in
      queue.async { continuation.resume(returning: box.state.count) }
    }
    let cost = watch.nanoseconds(per: reached)
    try expect("blocks run", reached, is: count / threads * threads)
    return cost
  }

  /// Hops from one serial queue to another and back, one trip after the other.
  private static func hops(_ count: Int) async throws -> Double {
    let here = DispatchQueue(label: "baseline.here")
    let there = DispatchQueue(label: "baseline.there")
    let box = Box()
    let watch = Stopwatch()
    let reached = await withUnsafeContinuation { (continuation: UnsafeContinuation<Int, Never>) in
      @Sendable func trip() {
        if box.state.count == count { return continuation.resume(returning: box.state.count) }
        there.async {
          here.async {
            box.state.count += 1
            trip()
          }
        }
      }
      here.async { trip() }
    }
    let cost = watch.nanoseconds(per: count)
    try expect("trips made", reached, is: count)
    return cost
  }

  /// Makes and ends one task after the other.
  private static func tasks(_ count: Int) async throws -> Double {
    let box = Box()
    let watch = Stopwatch()
    for _ in 0..<count {
      await Task.detached { box.state.count += 1 }.value
    }
    let cost = watch.nanoseconds(per: count)
    try expect("tasks run", box.state.count, is: count)
    return cost
  }

  /// Calls the reducer alone, as a store does.
  private static func reductions(_ count: Int) throws -> Double {
    let reduce: Reducer<Counting, Counting.Action> = Counting.reduce
    var state = Counting()
    let watch = Stopwatch()
    for _ in 0..<count { reduce(&state, .increment) }
    let cost = watch.nanoseconds(per: count)
    try expect("actions reduced", state.count, is: count)
    return cost
  }

  /// Calls the reducer under an uncontended lock.
  private static func lockedReductions(_ count: Int) throws -> Double {
    let state = Lock(Counting())
    let watch = Stopwatch()
    for _ in 0..<count { state.withLock { Counting.reduce(&$0, .increment) } }
    let cost = watch.nanoseconds(per: count)
    try expect("actions reduced", state.withLock(\.count), is: count)
    return cost
  }
}
