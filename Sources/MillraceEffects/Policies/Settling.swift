import Millrace

/// Passes on those values of a sequence that a burst lets begin.
struct Settling<Value: Sendable, C: Clock> where C.Duration == Duration {
  let burst: DebounceBurst<C.Instant>
  let quiet: @Sendable (Value) -> Duration
  let clock: C

  /// Passes on values until the sequence has ended, or the task is cancelled. A value that waits when the
  /// sequence ends is passed on after its wait.
  func forward(_ values: RequestUpdates<Value>, to sink: @Sendable (Value) -> Void) async {
    let shared = Lock(burst)
    let stamped = { @Sendable [clock, quiet] (value: Value) in
      let (now, quiet) = (clock.now, quiet(value))
      return (value: value, arrival: now, due: shared.withLock { $0.requestArrived(at: now, quiet: quiet) })
    }
    await NewestValue.collect(values, as: stamped) { newest, arrivals in
      for await _ in arrivals {
        guard var candidate = newest.take() else { continue }
        while true {
          let wait = candidate.arrival.duration(to: candidate.due)
          guard await clock.waits(wait, from: candidate.arrival, for: "\(wait.text) of a debounce") else {
            return
          }
          guard let newer = newest.take() else { break }
          candidate = newer
        }
        shared.withLock { $0.requestBegan() }
        sink(candidate.value)
      }
    }
  }
}
