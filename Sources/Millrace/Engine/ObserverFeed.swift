import Dispatch

/// The events that an observer has not got yet. Gives them to it one at a time, in order, away from the reducer queue.
///
/// `waiting` and `isServing` are guarded by the engine's turn lock.
final class ObserverFeed<Element: Sendable>: @unchecked Sendable {  // guarded as said
  private let attachment: Attachment
  private var waiting: [Element] = []
  private(set) var isServing = false
  private let tell: @Sendable (Element) -> Void

  init(of attachment: Attachment, tell: @escaping @Sendable (Element) -> Void) {
    self.attachment = attachment
    self.tell = tell
  }

  func append(_ element: Element, _ engine: Engine) {
    waiting.append(element)
    if isServing { return }
    isServing = true
    attachment.scope.countRun(counted: 1, all: 1)
    engine.decided.deliver {
      DispatchQueue.global().async { self.serve(engine) }
    }
  }

  /// The connection has ended: drops what waits, unless it ended with the store or with its part.
  func end(_ engine: Engine) {
    if engine.isClosing(attachment.scope) || attachment.scope.isOver { return }
    engine.decided.release(waiting)
    waiting = []
  }

  private func serve(_ engine: Engine) {
    while true {
      let batch = engine.locked {
        defer { waiting = [] }
        if waiting.isEmpty {
          isServing = false
          attachment.scope.countRun(counted: -1, all: -1)
          engine.workEnded(of: attachment)
        }
        return waiting
      }
      if batch.isEmpty { return }
      batch.forEach(tell)
    }
  }
}

extension Scope {
  /// Counts runs and other work that the turn lock guards. It must be held.
  func countRun(counted: Int, all: Int) {
    upwards {
      $0.runs.counted += counted
      $0.runs.all += all
    }
  }
}
