import Millrace
import MillraceEffects

/// Reports when a server has been silent for too long. Only time in which a task waits for the server counts.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `limit`: how long the server may be silent | the lock | the exchange ends |
/// | `head`: the run's wait for the head, which has begun | the lock | the head has arrived |
/// | `due`: when a task has waited for the server for as long as allowed | the lock | the task no longer waits |
/// | `number` of the task's wait | the lock | the next one |
final class Listening: Sendable {
  private struct State {
    var limit: Duration?
    var head: Wait?
    var due: Duration?
    var number = 0
  }

  private let silence: HTTPClient.Silence
  private let time: Stopwatch
  private let state: Lock<State>

  /// A task waits for the server from now on.
  init(_ silence: HTTPClient.Silence, on clock: any Clock<Duration>, head: Wait? = nil) {
    self.silence = silence
    time = Stopwatch(clock)
    state = Lock(State(limit: silence.beforeHead, head: head))
    began()
  }

  /// A task waits for the server from now on.
  func began() {
    let now = time.now()
    state.withLock { state in
      state.number += 1
      state.due = state.limit.map { now + min($0, TimerLimits.longestWait) }
    }
  }

  /// No task waits for the server.
  func ended() { state.withLock { $0.due = nil } }

  /// The final head has arrived, or will not arrive.
  func isPastHead() {
    state.withLock { state in
      state.limit = silence.afterHead
      return state.head.take()
    }?.end()
  }

  /// Returns true when a task has waited for as long as allowed; `false` if the task of this call is cancelled before.
  /// While no task waits, checks at the interval of the shorter limit whether one does.
  func isSilent() async -> Bool {
    let pace = min(max(silence.shortest ?? .zero, .milliseconds(1)), TimerLimits.longestWait)
    while true {
      let (due, number) = state.withLock { ($0.due, $0.number) }
      guard await time.waits(until: due ?? time.now() + pace) else { return false }
      if due != nil, state.withLock({ $0.due != nil && $0.number == number }) { return true }
    }
  }
}
