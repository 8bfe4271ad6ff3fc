/// Records what is sent through one store handle, in the turn in which it is reduced: at the store itself or at a scope.
final class ActionTap<State: Sendable, Action: Sendable>: Sendable {
  typealias Record = @Sendable (Action, Lent<State>) -> Void

  private enum Source: Sendable {
    case store(StateEngine<State, Action>)
    case scope(Backend<State, Action>)
  }

  private let source: Source
  private let scope: Scope
  private let engine: Engine
  private let record: Record

  /// - Parameter backend: what is behind a scope; `nil` for the store itself.
  init(
    at host: StateEngine<State, Action>?, _ backend: Backend<State, Action>, through scope: Scope,
    _ engine: Engine,
    _ record: @escaping Record
  ) {
    source = host.map(Source.store) ?? .scope(backend)
    self.scope = scope
    self.engine = engine
    self.record = record
    // A sender looks for the recorders of a scope before the connection has its place.
    if case .scope(let backend) = source {
      backend.add(ObjectIdentifier(self), through: scope, engine, record)
    }
  }

  /// The connection has its place. The turn lock must be held, as for `ended`.
  func connected() {
    if case .store(let host) = source { host.add(ObjectIdentifier(self), record) }
  }

  func ended() {
    switch source {
    case .store(let host): host.removeTap(ObjectIdentifier(self))
    case .scope(let backend): backend.removeTap(ObjectIdentifier(self), through: scope, engine)
    }
  }
}
