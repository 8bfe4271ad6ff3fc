import Dispatch

/// What an observer has not been told yet, and the telling of it: one at a time, in order, away from the reducer
/// queue. `waiting`, `isServing` and `isCounted` are guarded by the engine's turn lock.
final class ObserverFeed<Element: Sendable>: CountedWork, @unchecked Sendable {  // guarded as above
  let scope: Scope
  var isCounted = false
  private(set) var isServing = false
  private var waiting: [Element] = []
  private let tell: @Sendable (Element) -> Void
  private let connection: UInt64

  init(at place: Place, tell: @escaping @Sendable (Element) -> Void) {
    scope = place.scope
    connection = place.id
    self.tell = tell
  }

  func append(_ element: Element, _ engine: Engine, _ outcome: Outcome) {
    waiting.append(element)
    if isServing { return }
    isServing = true
    isCounted = true
    engine.count(scope, by: 1)
    outcome.deliver { [self] in
      DispatchQueue.global().async { self.serve(engine) }
    }
  }

  /// The connection has ended: nothing more is told, unless the store itself ends, which tells all.
  func end() {
    if !scope.any(\.isClosing) { waiting = [] }
  }

  private func serve(_ engine: Engine) {
    while true {
      let batch = engine.locked { _ in
        defer { waiting = [] }
        if waiting.isEmpty {
          isServing = false
          isCounted = false
          engine.count(scope, by: -1)
          engine.workEnded(ofConnection: connection)
        }
        return waiting
      }
      if batch.isEmpty { return }
      batch.forEach(tell)
    }
  }
}
