/// An effect component that wraps another one. The wrapped effect does everything that the wrapper does not implement.
///
/// Requests and failures are always those of the wrapped effect. So are the identity, the requests and the actions, if
/// `ID`, `State` and `Action` are those of the wrapped effect. A wrapper that changes when or how often runs happen is
/// a policy: conform to `PolicyEffect` of MillraceEffects.
public protocol WrapperEffect<Base>: EffectComponent
where Request == Base.Request, Failure == Base.Failure {
  /// The wrapped effect.
  associatedtype Base: EffectComponent

  /// The wrapped effect.
  var base: Base { get }
}

extension WrapperEffect {
  /// The replacement rule of the wrapped effect.
  public var replacement: RequestReplacement { base.replacement }
}

extension WrapperEffect where ID == Base.ID {
  /// Returns the identity that the wrapped effect gives the request.
  public func id(of request: Base.Request) -> Base.ID { base.id(of: request) }
}

extension WrapperEffect where State == Base.State {
  /// Returns the requests of the wrapped effect.
  public func requests(in state: Base.State) -> Set<Base.Request> { base.requests(in: state) }
}

extension WrapperEffect where Action == Base.Action {
  /// Returns the action of the wrapped effect for the failure.
  public func action(for failure: Base.Failure, of request: Base.Request) -> Base.Action {
    base.action(for: failure, of: request)
  }

  /// Runs the wrapped effect.
  public func run(_ request: Base.Request, send: Send<Base.Action>) async throws(Base.Failure) {
    try await base.run(request, send: send)
  }

  /// Runs the wrapped effect on the values of one identity.
  public func run(
    _ requests: RequestUpdates<Base.Request>, send: Send<Base.Action>
  ) async throws(Base.Failure) {
    try await base.run(requests, send: send)
  }
}
