import Millrace

/// Tells a watch when a task waits for a server, and for how long the server may be silent.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `limit` | the lock | the exchange ends |
/// | `head` | the lock | the head has arrived |
final class Listening: Sendable {
  private struct State {
    var limit: Duration?
    var head: Wait?
  }

  private let watch: any SilenceWatch
  private let silence: HTTPClient.Silence
  private let state: Lock<State>

  /// - Parameter head: the run's wait for the head. It has begun.
  init(_ watch: any SilenceWatch, _ silence: HTTPClient.Silence, head: Wait? = nil) {
    self.watch = watch
    self.silence = silence
    state = Lock(State(limit: silence.beforeHead, head: head))
  }

  func began() { watch.began(limit: state.withLock(\.limit)) }
  func ended() { watch.ended() }

  /// The final head has arrived, or will not arrive.
  func isPastHead() {
    state.withLock { state in
      state.limit = silence.afterHead
      return state.head.take()
    }?.end()
  }
}
