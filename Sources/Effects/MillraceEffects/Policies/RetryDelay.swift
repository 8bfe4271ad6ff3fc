/// A failure that demands a wait before the next attempt.
public protocol RetryAfterProviding {
  /// The time to wait before the next attempt; `nil` if the failure demands none.
  var retryDelay: Duration? { get }
}
