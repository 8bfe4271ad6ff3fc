import Millrace

/// An effect component that wraps another one and changes when and how often its runs happen. Requests, identities
/// and failures are those of the wrapped effect.
///
/// Every policy of this module conforms to it. To write your own, store the wrapped effect in `base` and implement
/// `serve(_:send:)`:
///
/// ```swift
/// struct WhileOnline<Base: EffectComponent>: PolicyEffect {
///   let base: Base
///   let network: Network
///   func serve(
///     _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
///   ) async throws(Base.Failure) {
///     guard await network.isOnline() else { return }  // false also once the task is cancelled
///     try await runBase(requests, send: send)
///   }
/// }
/// ```
///
/// A policy that waits before it runs the base must check `Task.isCancelled` after the wait, so that a request that
/// has left the state never begins. It must run the base in its own task or in child tasks that it awaits, so that
/// stopping the policy's run stops the base, and runs of one identity never overlap.
public protocol PolicyEffect<Base>: WrapperEffect
where State == Base.State, Action == Base.Action, ID == Base.ID {
  /// Serves one identity by running the wrapped effect, when and as often as the policy decides.
  ///
  /// Called in the same way as `run(_:send:)` of `EffectComponent`.
  ///
  /// - Parameter requests: the request, and the values that replace it if requests are handed over to the effect
  ///   within.
  /// - Throws: the errors of the wrapped effect.
  func serve(_ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>) async throws(Base.Failure)
}

extension PolicyEffect {
  /// Serves `request` as the only value of its identity.
  public func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    try await serve(RequestUpdates(request), send: send)
  }

  /// Serves the values of one identity by `serve(_:send:)`.
  public func run(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await serve(requests, send: send)
  }

  /// Runs the wrapped effect once, and returns when that run has returned.
  ///
  /// If requests are handed over to the wrapped effect, it gets all values of `requests`; otherwise it gets the first
  /// one. Call it in the task of the run or in a child task of it.
  ///
  /// - Throws: the error of the wrapped effect.
  public func runBase(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await base.runOnce(requests, send: send)
  }
}

extension EffectComponent {
  /// Serves all values if they are handed over to this effect, otherwise the first one.
  func runOnce(_ requests: RequestUpdates<Request>, send: Send<Action>) async throws(Failure) {
    if replacement == .handOver {
      try await run(requests, send: send)
    } else {
      try await run(requests.first, send: send)
    }
  }
}
