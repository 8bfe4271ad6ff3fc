@preconcurrency import Foundation
import Millrace

/// Calls into an idle store. Measures the median time for which the caller is blocked.
enum Idle {
  static let dispatchAsync = "baseline/idle-async"

  static let cases = [
    BenchmarkCase(name: dispatchAsync, unit: "µs/call") { effort in
      let queue = DispatchQueue.global()
      let done = DispatchSemaphore(value: 0)
      return await calls(effort.count(300)) {
        queue.async { done.signal() }
      } then: {
        done.wait()
      }
    },
    BenchmarkCase(name: "idle/dispatch", unit: "µs/call", baseline: [dispatchAsync], target: 1.15) { effort in
      let done = DispatchSemaphore(value: 0)
      let store = Store(initialState: 0, on: .serial(qos: .default)) { (count: inout Int, step: Int) in
        count += step
        done.signal()
      }
      let count = effort.count(300)
      let cost = await calls(count) {
        store.dispatch(1)
      } then: {
        done.wait()
      }
      try expect("actions reduced", store.state, is: count)
      return cost
    },
  ]

  /// The median time of `call`. Before each call is a pause in which the threads of the queue fall asleep.
  private static func calls(
    _ count: Int, _ call: @escaping @Sendable () -> Void, then: @escaping @Sendable () -> Void
  ) async -> Double {
    await withUnsafeContinuation { continuation in
      Thread {
        var times: [Double] = []
        for _ in 0..<count {
          Thread.sleep(forTimeInterval: 0.002)
          let watch = Stopwatch()
          call()
          times.append(watch.nanoseconds(per: 1) / 1_000)
          then()
        }
        continuation.resume(returning: Measurement(times).median)
      }.start()
    }
  }
}
