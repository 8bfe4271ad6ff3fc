import Millrace

/// An effect whose actions are translated. Made by `mapped(_:)`.
public struct MappedEffect<Base: EffectComponent, Action: Sendable>: WrapperEffect {
  /// The identities of the wrapped effect.
  public typealias ID = Base.ID
  /// The state of the wrapped effect.
  public typealias State = Base.State

  /// The wrapped effect.
  public let base: Base
  let transform: @Sendable (Base.Action) -> Action

  /// Returns the translated action of the wrapped effect for the failure.
  public func action(for failure: Base.Failure, of request: Base.Request) -> Action {
    transform(base.action(for: failure, of: request))
  }

  /// Runs the wrapped effect.
  public func run(_ request: Base.Request, send: Send<Action>) async throws(Base.Failure) {
    try await base.run(request, send: send.map(transform))
  }

  /// Runs the wrapped effect.
  public func run(
    _ requests: RequestUpdates<Base.Request>, send: Send<Action>
  ) async throws(Base.Failure) {
    try await base.run(requests, send: send.map(transform))
  }
}

extension EffectComponent {
  /// Returns this effect with each of its actions translated by `transform`.
  ///
  /// Use it if a policy sends an action for which the wrapped effect's action type has no case:
  ///
  /// ```swift
  /// let search = HTTPEffect().mapped(AppAction.http).timingOut(after: .seconds(5)) { request in
  ///   .gaveUp(request)
  /// }
  /// store.connect(search, to: \.downloads)
  /// ```
  ///
  /// - Parameter transform: a pure function, usually a case of an action. Called in the task of a run, and for
  ///   failures on the reducer queue.
  public func mapped<Other: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Other
  ) -> MappedEffect<Self, Other> {
    MappedEffect(base: self, transform: transform)
  }
}
