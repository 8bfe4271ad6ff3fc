import Millrace
import MillraceEffects

/// Reports when a server has been silent for too long. Only time in which a task waits for the server counts.
protocol SilenceWatch: Sendable {
  /// A task waits for the server from now on, for `limit` at most.
  func began(limit: Duration?)
  /// No task waits for the server.
  func ended()
  /// Returns true when a task has waited for as long as allowed; `false` if the task of this call is cancelled before.
  /// Checks every `pace` whether a task waits.
  func isSilent(pace: Duration) async -> Bool
}

extension Clock where Duration == Swift.Duration {
  /// Returns a watch that measures time with this clock.
  func silenceWatch() -> any SilenceWatch { ClockSilenceWatch(clock: self) }
}

private final class ClockSilenceWatch<C: Clock>: SilenceWatch where C.Duration == Duration {
  private struct Listening: Sendable {
    var since: C.Instant
    var limit: Duration
    var number: Int
  }

  private struct State: Sendable {
    var listening: Listening?
    var count = 0
  }

  private let clock: C
  private let state = Lock(State())

  init(clock: C) { self.clock = clock }

  func began(limit: Duration?) {
    let now = clock.now
    state.withLock { state in
      state.count += 1
      state.listening = limit.map { Listening(since: now, limit: $0, number: state.count) }
    }
  }

  func ended() { state.withLock { $0.listening = nil } }

  func isSilent(pace: Duration) async -> Bool {
    while true {
      guard let listening = state.withLock({ $0.listening }) else {
        guard await clock.waits(max(pace, .milliseconds(1))) else { return false }
        continue
      }
      guard await clock.waits(listening.limit, from: listening.since) else { return false }
      if state.withLock({ $0.listening?.number }) == listening.number { return true }
    }
  }
}
