import Millrace

/// An effect whose actions are sent as others. Made by `mapped(_:)`.
public struct MappedEffect<Base: EffectComponent, Action: Sendable>: EffectComponent {
  /// What the effect within can throw.
  public typealias Failure = Base.Failure

  private let base: Base
  private let transform: @Sendable (Base.Action) -> Action

  init(_ base: Base, _ transform: @escaping @Sendable (Base.Action) -> Action) {
    self.base = base
    self.transform = transform
  }

  /// As the effect within has it.
  public func id(of request: Base.Request) -> Base.ID { base.id(of: request) }

  /// As the effect within has it.
  public func requests(in state: Base.State) -> Set<Base.Request> { base.requests(in: state) }

  /// As the effect within has it.
  public var replacement: RequestReplacement { base.replacement }

  /// What is made of the action that the effect within has for it.
  public func action(for failure: Base.Failure, of request: Base.Request) -> Action {
    transform(base.action(for: failure, of: request))
  }

  /// Runs the effect within.
  public func run(_ request: Base.Request, send: Send<Action>) async throws(Base.Failure) {
    try await base.run(request, send: send.map(transform))
  }

  /// Runs the effect within.
  public func run(
    _ requests: RequestUpdates<Base.Request>, send: Send<Action>
  ) async throws(Base.Failure) {
    try await base.run(requests, send: send.map(transform))
  }
}

extension EffectComponent {
  /// This effect with each of its actions sent as what `transform` makes of it.
  ///
  /// For policies that have something to say for which the actions of the effect within have no word:
  ///
  /// ```swift
  /// let search = HTTPEffect().mapped(AppAction.http).timeout(.seconds(5)) { request in .gaveUp(request) }
  /// store.connect(search, to: \.downloads)
  /// ```
  ///
  /// - Parameter transform: A pure function, usually a case of an action. Called in the task of a run, and for
  ///   failures on the reducer queue.
  public func mapped<Other: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Other
  ) -> MappedEffect<Self, Other> {
    MappedEffect(self, transform)
  }
}
