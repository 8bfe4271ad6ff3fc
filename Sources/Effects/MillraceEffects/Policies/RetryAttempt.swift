/// A further attempt that is about to be waited for, as `retried(times:by:clock:when:action:)` reports it.
public struct RetryAttempt<Failure: Error>: Sendable {
  /// The number of the coming attempt; 2 after the first failure.
  public var attempt: Int
  /// The failure of the attempt before.
  public var failure: Failure
  /// The time until the attempt begins.
  public var delay: Duration

  /// Makes a retry, for tests.
  public init(attempt: Int, failure: Failure, delay: Duration) {
    self.attempt = attempt
    self.failure = failure
    self.delay = delay
  }
}

extension RetryAttempt: Equatable where Failure: Equatable {}
extension RetryAttempt: Hashable where Failure: Hashable {}
