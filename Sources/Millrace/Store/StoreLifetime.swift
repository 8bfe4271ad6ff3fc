/// Held by the handles that keep a store alive: root stores and the scopes that the user holds.
final class StoreLifetime: Sendable {
  private let engine: Engine

  init(_ engine: Engine) { self.engine = engine }

  deinit { engine.lastHandleWasReleased() }
}
