import Millrace

/// An effect component around another: as that one in everything but in how its runs go.
///
/// Every policy of this module is one. To write your own, name what is within `base` and say how its runs go:
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
/// A policy that waits before it runs the base looks at `Task.isCancelled` when the wait is over, so that a request
/// that has left the state never begins. It runs the base in its own task or in child tasks that it awaits, so that
/// stopping its run stops the base, and runs of one identity never overlap.
public protocol PolicyEffect<Base>: EffectComponent
where
  State == Base.State, Action == Base.Action, Request == Base.Request, Failure == Base.Failure, ID == Base.ID
{
  /// The effect within.
  associatedtype Base: EffectComponent

  /// The effect within.
  var base: Base { get }

  /// Serves one identity by running the effect within, how and how often the policy says.
  ///
  /// Called as `run(_:send:)` of `EffectComponent` is.
  ///
  /// - Parameter requests: The request, and the values that replace it if the effect within has requests handed over.
  /// - Throws: What the effect within throws.
  func serve(_ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>) async throws(Base.Failure)
}

extension PolicyEffect {
  /// As the effect within has it.
  public func id(of request: Base.Request) -> Base.ID { base.id(of: request) }

  /// As the effect within has it.
  public func requests(in state: Base.State) -> Set<Base.Request> { base.requests(in: state) }

  /// As the effect within has it.
  public var replacement: RequestReplacement { base.replacement }

  /// As the effect within has it.
  public func action(for failure: Base.Failure, of request: Base.Request) -> Base.Action {
    base.action(for: failure, of: request)
  }

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

  /// Runs the effect within once, and returns when it has returned.
  ///
  /// It is given the values of `requests` if it has them handed over, and the first of them if not. Called in the
  /// task of the run or in a child of it.
  ///
  /// - Throws: What it throws.
  public func runBase(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    if base.replacement == .handOver {
      try await base.run(requests, send: send)
    } else {
      try await base.run(requests.first, send: send)
    }
  }
}
