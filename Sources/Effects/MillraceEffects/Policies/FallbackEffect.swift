import Millrace

/// An effect with a fallback: another effect that serves a request when it fails. Made by `fallingBack(to:when:)`.
public struct FallbackEffect<Base: EffectComponent>: PolicyEffect, RepeatsRuns {
  /// The wrapped effect.
  public let base: Base
  /// Serves requests by the other effect.
  let other: @Sendable (RequestUpdates<Base.Request>, Send<Base.Action>) async throws(Base.Failure) -> Void
  /// Models a run of the other effect.
  let otherCourse: @Sendable (Base.Request) -> any RunCourse
  let isReplaced: @Sendable (Base.Failure, Base.Request) -> Bool

  /// Runs the wrapped effect, then the other one if that fails.
  public func serve(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await repeatBase(requests, send: send) { base throws(Base.Failure) in
      do throws(Base.Failure) {
        try await base.run()
      } catch {
        var rule = FallbackRule(policy: self)
        guard !Task.isCancelled, rule.ended(error, of: base.request) != nil else { throw error }
        try await base.run(other)
      }
    }
  }
}

extension EffectComponent {
  /// Returns this effect with `other` serving each request that this effect fails to serve, such as a cache after a
  /// network.
  ///
  /// ```swift
  /// let pages = HTTPEffect().mapped(AppAction.http)
  ///   .fallingBack(to: CachedPages(), when: { failure, _ in failure.isTransient })
  /// store.connect(pages, to: \.downloads)
  /// ```
  ///
  /// Actions that the first run sent before it failed stay in the state, and its failure is dropped. If the other
  /// effect fails too, the run fails with its failure. Both belong to one run of the request, and never overlap. Around
  /// `retried(times:by:clock:when:action:)`, the other effect is used after the last attempt. Around
  /// `guarded(by:counting:failure:)`, it is also used when the breaker refuses.
  ///
  /// - Parameters:
  ///   - other: an effect with the same requests and actions, and with the same failures or none. Its `requests(in:)`
  ///     is not used. For an effect with other actions use `mapped(_:)`.
  ///   - isReplaced: whether the other effect is used after a failure; otherwise the run fails. Called in the task of
  ///     the run.
  public func fallingBack<Other: EffectComponent>(
    to other: Other, when isReplaced: @escaping @Sendable (Failure, Request) -> Bool = { _, _ in true }
  ) -> FallbackEffect<Self>
  where Other.Request == Request, Other.Action == Action, Other.Failure == Failure {
    FallbackEffect(
      base: self,
      other: { (requests, send) async throws(Failure) in try await other.runOnce(requests, send: send) },
      otherCourse: { other.course(of: $0) }, isReplaced: isReplaced)
  }

  @_documentation(visibility: internal)  // shown once, as the method above
  /// Returns this effect with `other`, which cannot fail, serving each request that this effect fails to serve.
  ///
  /// Works like the method for effects that can fail.
  public func fallingBack<Other: EffectComponent>(
    to other: Other, when isReplaced: @escaping @Sendable (Failure, Request) -> Bool = { _, _ in true }
  ) -> FallbackEffect<Self>
  where Other.Request == Request, Other.Action == Action, Other.Failure == Never {
    FallbackEffect(
      base: self,
      other: { (requests, send) async throws(Failure) in await other.runOnce(requests, send: send) },
      otherCourse: { other.course(of: $0) }, isReplaced: isReplaced)
  }
}
