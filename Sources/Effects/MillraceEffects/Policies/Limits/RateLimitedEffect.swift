import Millrace

/// An effect whose runs take tokens from a bucket. Made by `rateLimited(by:cost:)` and
/// `rateLimited(by:cost:refused:)`.
public struct RateLimitedEffect<Base: EffectComponent>: PolicyEffect {
  /// The wrapped effect.
  public let base: Base
  let bucket: TokenBucket
  let cost: @Sendable (Base.Request) -> Int
  let refused: (@Sendable (Duration, Base.Request) -> Base.Action)?

  /// Runs the wrapped effect after taking its tokens.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    guard !Task.isCancelled else { return }
    if let refused {
      if let wait = bucket.tryTake(cost(requests.first)) {
        await send(refused(wait, requests.first))
        return
      }
    } else {
      guard await bucket.take(cost(requests.first)) else { return }
    }
    try await runBase(requests, send: send)
  }
}

extension EffectComponent {
  /// Returns this effect with each run waiting until it has taken its tokens from `bucket`.
  ///
  /// ```swift
  /// let quota = TokenBucket(capacity: 10, refilledEvery: .milliseconds(200))
  /// let uploads = HTTPEffect().rateLimited(by: quota, cost: { $0.url.count / 1024 + 1 })
  /// store.connect(uploads, to: \.uploads, action: AppAction.upload)
  /// ```
  ///
  /// Runs wait in order of arrival, and none is dropped. A run that is stopped while it waits takes no tokens. Put this
  /// policy inside `retried(times:by:clock:when:action:)` so that each attempt takes tokens. A value that is handed
  /// over takes none.
  ///
  /// - Parameters:
  ///   - bucket: the bucket, which effects may share.
  ///   - cost: returns the number of tokens that a request takes, by default one. More than the capacity counts as
  ///     the capacity. Called in the task of the run.
  public func rateLimited(
    by bucket: TokenBucket, cost: @escaping @Sendable (Request) -> Int = { _ in 1 }
  ) -> RateLimitedEffect<Self> {
    RateLimitedEffect(base: self, bucket: bucket, cost: cost, refused: nil)
  }

  /// Returns this effect with a request refused if there are too few tokens. A refused request sends an action instead.
  ///
  /// A refused run ends at once and does not fail. Like any finished request, it is not run again while it stays
  /// asked for: to try later, the request must differ.
  ///
  /// - Parameters:
  ///   - bucket: the bucket, which effects may share.
  ///   - cost: returns the number of tokens that a request takes, by default one. More than the capacity counts as
  ///     the capacity. Called in the task of the run.
  ///   - refused: makes the action for a refused request, from the request and the time until there are enough
  ///     tokens. Called in the task of the run.
  public func rateLimited(
    by bucket: TokenBucket, cost: @escaping @Sendable (Request) -> Int = { _ in 1 },
    refused: @escaping @Sendable (Duration, Request) -> Action
  ) -> RateLimitedEffect<Self> {
    RateLimitedEffect(base: self, bucket: bucket, cost: cost, refused: refused)
  }
}
