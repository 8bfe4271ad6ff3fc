import Millrace

/// Passes on those values of a sequence that nothing newer has followed for a while.
struct Settling<C: Clock> where C.Duration == Duration {
  private struct Newest<Value: Sendable>: Sendable {
    var value: Value
    var number: Int
    var arrival: C.Instant
  }

  let quiet: Duration
  let clock: C

  /// Passes on values until the sequence has ended, or the task is cancelled. A value that waits when the
  /// sequence ends is passed on after its wait.
  func forward<Value: Sendable>(_ values: RequestUpdates<Value>, to sink: @Sendable (Value) -> Void) async {
    let newest = Lock<Newest<Value>?>(nil)
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup { group in
      group.addTask {
        for await value in values {
          newest.withLock {
            $0 = Newest(value: value, number: ($0?.number ?? 0) + 1, arrival: clock.now)
          }
          continuation.yield()
        }
        continuation.finish()
      }
      var passed = 0
      for await _ in arrivals {
        guard var candidate = newest.withLock({ $0 }), candidate.number != passed else { continue }
        while true {
          guard await clock.waits(quiet, from: candidate.arrival) else { return }
          guard let current = newest.withLock({ $0 }), current.number != candidate.number else { break }
          candidate = current
        }
        passed = candidate.number
        sink(candidate.value)
      }
    }
  }
}
