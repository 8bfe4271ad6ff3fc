import Millrace

/// Passes on the values of a sequence that a debounce burst lets begin.
struct Settling<Value: Sendable, C: Clock> where C.Duration == Duration {
  let burst: SharedBurst<C>
  let quiet: @Sendable (Value) -> Duration
  let clock: C

  private struct Candidate: Sendable {
    let value: Value
    let arrival: C.Instant
    /// The time from its arrival until the value is passed on, if no other arrives before.
    let wait: Duration

    var due: C.Instant { arrival.advanced(by: wait) }
  }

  /// Passes on values until the sequence has ended or the task is cancelled. If a value waits when the sequence ends,
  /// it is passed on after its wait.
  func forward(_ values: RequestUpdates<Value>, to sink: @Sendable (Value) -> Void) async {
    let newest = Lock<Candidate?>(nil)
    let sleep = Lock<(until: C.Instant, stop: StopSignal)?>(nil)
    let (arrivals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup { group in
      group.addTask { [burst, clock, quiet] in
        for await value in values {
          let (now, quiet) = (clock.now, quiet(value))
          let newer = Candidate(
            value: value, arrival: now, wait: burst.requestArrived(at: now, quiet: quiet))
          newest.withLock { $0 = newer }
          // If the newer value is due before the waiting one, ends the sleep for that one.
          let stop = sleep.withLock { sleep in sleep.flatMap { newer.due < $0.until ? $0.stop : nil } }
          stop?.stop()
          signal.yield()
        }
        signal.finish()
      }
      for await _ in arrivals {
        guard var candidate = newest.withLock({ $0.take() }) else { continue }
        while true {
          // The task that takes values      | this task
          // keeps a newer value             |
          // finds no sleep to stop          |
          //                                 | puts its sleep on record
          //                                 | takes the newer value, and does not sleep
          let stop = StopSignal()
          sleep.withLock { $0 = (candidate.due, stop) }
          if newest.withLock({ $0 == nil }) { await wait(for: candidate, until: stop) }
          if Task.isCancelled { return }
          guard let newer = newest.withLock({ $0.take() }) else { break }
          candidate = newer
        }
        sleep.withLock { $0 = nil }
        burst.requestBegan()
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
