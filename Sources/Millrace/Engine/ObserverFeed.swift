import Dispatch

/// The events that an observer has not got yet. Gives them to it one at a time, in order, on a queue of its own: an
/// observer that blocks holds up nobody else.
final class ObserverFeed<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    /// Whether the queue gives events to the observer, or is about to. Changed with the turn lock held, too.
    var isServing = false
  }

  private let attachment: Attachment
  private let queue = DispatchQueue(label: "millrace.observer")
  private let state = Lock(State())
  private let tell: @Sendable (Element) -> Void

  init(of attachment: Attachment, tell: @escaping @Sendable (Element) -> Void) {
    self.attachment = attachment
    self.tell = tell
  }

  func append(_ element: Element, _ engine: Engine) {
    let begins = state.withLock { state in
      state.waiting.append(element)
      defer { state.isServing = true }
      return !state.isServing
    }
    if !begins { return }
    attachment.scope.countRun(counted: 1, all: 1)
    engine.decided.deliver { [queue] in
      queue.async { self.serve(engine) }
    }
  }

  var isServing: Bool { state.withLock(\.isServing) }

  /// The connection has ended: drops what waits, unless it ended with the store or with its part.
  func end(_ engine: Engine) {
    if engine.isClosing(attachment.scope) || attachment.scope.isOver { return }
    engine.decided.release(take())
  }

  private func serve(_ engine: Engine) {
    repeat {
      while case let batch = take(), !batch.isEmpty { batch.forEach(tell) }
    } while !endServing(engine)
  }

  private func take() -> [Element] {
    state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Ends the serving, unless a turn has appended something meanwhile.
  ///
  /// - Returns: whether it has ended.
  private func endServing(_ engine: Engine) -> Bool {
    engine.locked {
      let ends = state.withLock { state in
        if state.waiting.isEmpty { state.isServing = false }
        return !state.isServing
      }
      if !ends { return false }
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
