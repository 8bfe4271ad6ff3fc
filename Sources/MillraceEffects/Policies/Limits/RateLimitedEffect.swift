import Millrace

/// An effect whose runs take tokens from a bucket. Made by `rateLimited(by:cost:)` and
/// `rateLimited(by:cost:refused:)`.
public struct RateLimitedEffect<Base: EffectComponent>: PolicyEffect {
  /// The effect within.
  public let base: Base
  private let bucket: TokenBucket
  private let cost: @Sendable (Base.Request) -> Int
  private let refused: (@Sendable (Duration, Base.Request) -> Base.Action)?

  init(
    _ base: Base, _ bucket: TokenBucket, _ cost: @escaping @Sendable (Base.Request) -> Int,
    _ refused: (@Sendable (Duration, Base.Request) -> Base.Action)?
  ) {
    self.base = base
    self.bucket = bucket
    self.cost = cost
    self.refused = refused
  }

  /// Runs the effect within once it has its tokens.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    guard !Task.isCancelled else { return }
    if let refused {
      if let wait = bucket.takeAtOnce(cost(requests.first)) {
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
  /// This effect with each run beginning once it has taken its tokens from `bucket`.
  ///
  /// ```swift
  /// let quota = TokenBucket(capacity: 10, refilledEvery: .milliseconds(200))
  /// let uploads = HTTPEffect().rateLimited(by: quota, cost: { $0.url.count / 1024 + 1 })
  /// store.connect(uploads, to: \.uploads, action: AppAction.upload)
  /// ```
  ///
  /// Runs wait in order of arrival, and none is lost; one that is stopped while it waits takes nothing. Put it within
  /// `retried(times:by:clock:when:action:)` to have each attempt take tokens. A value that is handed over takes none.
  ///
  /// - Parameters:
  ///   - bucket: Where the tokens come from; it may be shared.
  ///   - cost: How many a request takes, by default one. More than the bucket holds counts as all. Called in the task of
  ///     the run.
  public func rateLimited(
    by bucket: TokenBucket, cost: @escaping @Sendable (Request) -> Int = { _ in 1 }
  ) -> RateLimitedEffect<Self> {
    RateLimitedEffect(self, bucket, cost, nil)
  }

  /// This effect with a request refused for which there are no tokens, and an action sent in its place.
  ///
  /// A refused run ends at once and does not fail. As any finished request it is not run again while it stays asked
  /// for: to try later, the request must differ.
  ///
  /// - Parameters:
  ///   - bucket: Where the tokens come from; it may be shared.
  ///   - cost: How many a request takes, by default one. More than the bucket holds counts as all. Called in the task of
  ///     the run.
  ///   - refused: What the state is told of a request that is refused, and how long it will be until there are enough
  ///     tokens. Called in the task of the run.
  public func rateLimited(
    by bucket: TokenBucket, cost: @escaping @Sendable (Request) -> Int = { _ in 1 },
    refused: @escaping @Sendable (Duration, Request) -> Action
  ) -> RateLimitedEffect<Self> {
    RateLimitedEffect(self, bucket, cost, refused)
  }
}
