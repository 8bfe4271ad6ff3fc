import Millrace

/// Passes on the values of a sequence that a debounce burst lets begin.
struct Settling<Value: Sendable, C: Clock> where C.Duration == Duration {
  let burst: DebounceBurst<C.Instant>
  let quiet: @Sendable (Value) -> Duration
  let clock: C

  private struct Candidate: Sendable {
    let value: Value
    let arrival: C.Instant
    /// The time at which the value is passed on, if no other arrives before.
    let due: C.Instant

    var wait: Duration { arrival.duration(to: due) }
  }

  /// Passes on values until the sequence has ended or the task is cancelled. If a value waits when the sequence ends,
  /// it is passed on after its wait.
  func forward(_ values: RequestUpdates<Value>, to sink: @Sendable (Value) -> Void) async {
    let shared = Lock(burst)
    let sleep = Lock<(until: C.Instant, stop: StopSignal)?>(nil)
    let stamped = { @Sendable [clock, quiet] (value: Value) in
      let (now, quiet) = (clock.now, quiet(value))
      return Candidate(
        value: value, arrival: now, due: shared.withLock { $0.requestArrived(at: now, quiet: quiet) })
    }
    // If a newer value is due before the waiting one, ends the sleep for that one.
    let kept = { @Sendable (newer: Candidate) -> Void in
      let stop = sleep.withLock { sleep in sleep.flatMap { newer.due < $0.until ? $0.stop : nil } }
      stop?.stop()
    }
    await NewestValue.collect(values, as: stamped, kept: kept) { newest, arrivals in
      for await _ in arrivals {
        guard var candidate = newest.take() else { continue }
        while true {
          // The task that takes values      | this task
          // keeps a newer value             |
          // finds no sleep to stop          |
          //                                 | puts its sleep on record
          //                                 | takes the newer value, and does not sleep
          let stop = StopSignal()
          sleep.withLock { $0 = (candidate.due, stop) }
          if newest.isEmpty { await wait(for: candidate, until: stop) }
          if Task.isCancelled { return }
          guard let newer = newest.take() else { break }
          candidate = newer
        }
        sleep.withLock { $0 = nil }
        shared.withLock { $0.requestBegan() }
        sink(candidate.value)
      }
    }
  }

  private func wait(for candidate: Candidate, until stop: StopSignal) async {
    let wait = candidate.wait
    guard wait > .zero else { return }
    _ = await stop.outcome { [clock, arrival = candidate.arrival] () async in
      _ = await clock.waits(wait, from: arrival, for: "\(wait.text) of a debounce")
    }
  }
}
