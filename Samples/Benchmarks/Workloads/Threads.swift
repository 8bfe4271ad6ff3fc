@preconcurrency import Foundation
import Millrace

/// Threads outside of a queue: several that send, and bodies that compute on every core.
enum Threads {
  static let cases = [
    BenchmarkCase(name: "threads/two", unit: "ns/action") { effort in
      try await increments(effort.count(1_000_000), threads: 2)
    },
    BenchmarkCase(name: "threads/computing-bodies", unit: "ms") { effort in
      try await latency(seconds: max(0.2, 3 * effort.scale))
    },
  ]

  private static func increments(_ count: Int, threads: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let share = count / threads
    let ended = DispatchSemaphore(value: 0)
    let watch = Stopwatch()
    for _ in 0..<threads {
      Thread {
        for _ in 0..<share { store.dispatch(.increment) }
        ended.signal()
      }.start()
    }
    await withUnsafeContinuation { continuation in
      Thread {
        for _ in 0..<threads { ended.wait() }
        continuation.resume()
      }.start()
    }
    await store.settled()
    let cost = watch.nanoseconds(per: share * threads)
    try expect("actions reduced", store.state.count, is: share * threads)
    return cost
  }

  private struct Work: Equatable, Sendable { var (isAsked, count) = (false, 0) }

  private enum WorkAction: Sendable { case ask, count }

  /// The longest time from dispatch to reduction while a body computes on every core.
  private static func latency(seconds: Double) async throws -> Double {
    let (begun, reduced) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let store = Store(initialState: Work()) { (work: inout Work, action: WorkAction) in
      switch action {
      case .ask: work.isAsked = true
      case .count:
        work.count += 1
        reduced.signal()
      }
    }
    let end = Lock(Date.distantFuture)
    for core in 0..<cores {
      store.connect(
        when: { $0.isAsked ? core : nil },
        run: { _, _ in
          begun.signal()
          var number: UInt64 = 1
          while Date() < end.withLock({ $0 }) {
            for step: UInt64 in 0..<1_000_000 { number = number &* 6_364_136_223_846_793_005 &+ step }
          }
          withExtendedLifetime(number) {}
        })
    }
    store.dispatch(.ask)
    let worst = await withUnsafeContinuation { continuation in
      Thread {
        for _ in 0..<cores { begun.wait() }
        let last = Date(timeIntervalSinceNow: seconds)
        end.withLock { $0 = last }
        var worst = 0.0
        while Date() < last {
          let watch = Stopwatch()
          store.dispatch(.count)
          reduced.wait()
          worst = max(worst, watch.nanoseconds(per: 1) / 1e6)
          Thread.sleep(forTimeInterval: 0.01)
        }
        continuation.resume(returning: worst)
      }.start()
    }
    await store.settled()
    return worst
  }
}
