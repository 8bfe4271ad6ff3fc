/// A further attempt, about to be waited for. What `retried(times:by:clock:when:action:)` makes an action of.
public struct Retry<Failure: Error>: Sendable {
  /// The number of the attempt that is to come; 2 after the first failure.
  public var attempt: Int
  /// Why the attempt before failed.
  public var failure: Failure
  /// How long it is until the attempt begins.
  public var delay: Duration

  /// Makes a retry, for tests that answer by hand.
  public init(attempt: Int, failure: Failure, delay: Duration) {
    self.attempt = attempt
    self.failure = failure
    self.delay = delay
  }
}

extension Retry: Equatable where Failure: Equatable {}
extension Retry: Hashable where Failure: Hashable {}
