import Millrace

/// Tells a watch when a server is listened to, and for how long it may be silent.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `limit` | the lock | with the exchange |
/// | `head` | the lock | with the head |
final class Listening: Sendable {
  private struct State {
    var limit: Duration?
    var head: Wait?
  }

  private let watch: any SilenceWatch
  private let silence: HTTPClient.Silence
  private let state: Lock<State>

  /// - Parameter head: the run's wait for the head, which has begun.
  init(_ watch: any SilenceWatch, _ silence: HTTPClient.Silence, head: Wait? = nil) {
    self.watch = watch
    self.silence = silence
    state = Lock(State(limit: silence.beforeHead, head: head))
  }

  func began() { watch.began(limit: state.withLock(\.limit)) }
  func ended() { watch.ended() }

  /// The head of the answer that counts is there, or does not come.
  func isPastHead() {
    state.withLock { state in
      state.limit = silence.afterHead
      return state.head.take()
    }?.end()
  }
}
