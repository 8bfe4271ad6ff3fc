import Millrace

/// Tells a watch when a server is listened to, and for how long it may be silent.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `limit` | the lock | with the exchange |
final class Listening: Sendable {
  private let watch: any SilenceWatch
  private let silence: HTTPClient.Silence
  private let limit: Lock<Duration?>

  init(_ watch: any SilenceWatch, _ silence: HTTPClient.Silence) {
    self.watch = watch
    self.silence = silence
    limit = Lock(silence.beforeHead)
  }

  func began() { watch.began(limit: limit.withLock { $0 }) }
  func ended() { watch.ended() }

  /// The head of the answer that counts is there.
  func isPastHead() { limit.withLock { $0 = silence.afterHead } }
}
