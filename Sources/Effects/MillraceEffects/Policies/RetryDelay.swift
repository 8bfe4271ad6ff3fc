/// A failure that says how long to wait before the next attempt.
public protocol RetryAfterProviding {
  /// How long to wait before the next attempt; `nil` if the failure does not say.
  var retryDelay: Duration? { get }
}
