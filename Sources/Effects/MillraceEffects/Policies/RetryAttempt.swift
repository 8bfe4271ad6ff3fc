/// An attempt that follows a failure, as reported by `retried(times:by:clock:when:action:)` before its delay.
public struct RetryAttempt<Failure: Error>: Sendable {
  /// The number of the coming attempt; 2 after the first failure.
  public var attempt: Int
  /// The failure of the previous attempt.
  public var failure: Failure
  /// The time until the attempt begins.
  public var delay: Duration

  /// Makes a retry, for tests.
  public init(attempt: Int, failure: Failure, delay: Duration) {
    self.attempt = attempt
    self.failure = failure
    self.delay = delay
  }

  /// The attempt after a failed one, delayed at least as long as the failure demands.
  init(after attempt: Int, _ failure: Failure, by backoff: Backoff) {
    let least = (failure as? any RetryAfterProviding)?.retryDelay
    self.init(
      attempt: attempt + 1, failure: failure, delay: backoff.delay(before: attempt + 1, atLeast: least))
  }
}

extension RetryAttempt: Equatable where Failure: Equatable {}
extension RetryAttempt: Hashable where Failure: Hashable {}
