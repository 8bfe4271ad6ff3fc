/// Reaches the engine from what may outlive the store: sends, connections, runs, sequences. It keeps the engine until the
/// last handle to the store is gone, everything has ended, and what was under way has returned; after that it finds an
/// engine that somebody else keeps.
///
/// Not a weak reference from the start: an object that has one is slower to hold for everybody else.
final class EngineLink: Sendable {
  private enum State {
    case notOpen
    case kept(Engine)
    case found(Found)
  }

  private struct Found {
    weak var engine: Engine?
  }

  private let state = Lock(State.notOpen)

  /// `nil` once the store has ended and nobody keeps the engine.
  var engine: Engine? {
    state.withLock { state in
      switch state {
      case .notOpen: nil
      case .kept(let engine): engine
      case .found(let found): found.engine
      }
    }
  }

  func open(_ engine: Engine) { state.withLock { $0 = .kept(engine) } }

  /// Everything has ended: from here on the engine is not kept.
  func close(_ engine: Engine) { state.withLock { $0 = .found(Found(engine: engine)) } }
}
