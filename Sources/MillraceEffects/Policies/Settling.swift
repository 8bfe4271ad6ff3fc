import Millrace

/// Passes on those values of a sequence that nothing newer has followed for a while.
struct Settling<C: Clock> where C.Duration == Duration {
  let quiet: Duration
  let clock: C

  /// Passes on values until the sequence has ended, or the task is cancelled. A value that waits when the
  /// sequence ends is passed on after its wait.
  func forward<Value: Sendable>(_ values: RequestUpdates<Value>, to sink: @Sendable (Value) -> Void) async {
    let stamped = { @Sendable [clock] (value: Value) in (value: value, arrival: clock.now) }
    await NewestValue.collect(values, as: stamped) { newest, arrivals in
      for await _ in arrivals {
        guard var candidate = newest.take() else { continue }
        while true {
          guard await clock.waits(quiet, from: candidate.arrival) else { return }
          guard let newer = newest.take() else { break }
          candidate = newer
        }
        sink(candidate.value)
      }
    }
  }
}
