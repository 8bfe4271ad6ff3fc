import Dispatch

/// The events that an observer has not got yet. Gives them to it one at a time, in order, on a queue of its own: an
/// observer that blocks holds up nobody else.
///
/// | field | guarded by |
/// |---|---|
/// | `waiting` | its lock |
/// | `isServing` | the turn lock |
final class ObserverFeed<Element: Sendable>: @unchecked Sendable {  // guarded as in the table
  private let attachment: Attachment
  private let queue = DispatchQueue(label: "millrace.observer")
  private let waiting = Lock<[Element]>([])
  private(set) var isServing = false
  private let tell: @Sendable (Element) -> Void

  init(of attachment: Attachment, tell: @escaping @Sendable (Element) -> Void) {
    self.attachment = attachment
    self.tell = tell
  }

  func append(_ element: Element, _ engine: Engine) {
    waiting.withLock { $0.append(element) }
    if isServing { return }
    isServing = true
    attachment.scope.countRun(counted: 1, all: 1)
    engine.decided.deliver { [queue] in
      queue.async { self.serve(engine) }
    }
  }

  /// The connection has ended: drops what waits, unless it ended with the store or with its part.
  func end(_ engine: Engine) {
    if engine.isClosing(attachment.scope) || attachment.scope.isOver { return }
    engine.decided.release(take())
  }

  private func serve(_ engine: Engine) {
    repeat {
      while case let batch = take(), !batch.isEmpty { batch.forEach(tell) }
    } while !hasServedAll(engine)
  }

  private func take() -> [Element] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// The last look, which the store's turns do not overtake: whether nothing waits any more.
  private func hasServedAll(_ engine: Engine) -> Bool {
    engine.locked {
      guard waiting.withLock(\.isEmpty) else { return false }
      isServing = false
      attachment.scope.countRun(counted: -1, all: -1)
      engine.workEnded(of: attachment)
      return true
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
