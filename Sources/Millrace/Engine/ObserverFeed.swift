import Dispatch

/// The elements that a tap has recorded and its observer has not received. Calls the observer with one element at a time, in
/// order, on a queue of its own: an observer that blocks delays nothing else.
final class ObserverFeed<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    /// Whether the queue calls the observer, or is about to. Changed with the turn lock held, too.
    var isServing = false
    /// `nil` once the connection has ended and nothing is given any more.
    var tell: (@Sendable (Element) -> Void)?
  }

  private let queue = DispatchQueue(label: "millrace.observer")
  private let state: Lock<State>

  init(tell: @escaping @Sendable (Element) -> Void) { state = Lock(State(tell: tell)) }

  var isServing: Bool { state.withLock(\.isServing) }

  func append(_ element: Element, of tap: Tap, in engine: Engine) {
    let begins = state.withLock { state in
      state.waiting.append(element)
      defer { state.isServing = true }
      return !state.isServing
    }
    if !begins { return }
    tap.scope.countRun(counted: 1, all: 1)
    engine.decided.deliver { [queue] in
      queue.async { self.serve(tap, engine) }
    }
  }

  /// The connection has ended: drops what waits, unless it ended with the store or with its part.
  func end(of tap: Tap, in engine: Engine) {
    if engine.isClosing(tap.scope) || tap.scope.isOver { return }
    engine.decided.release(take())
  }

  func forget() -> Any? {
    state.withLock { state in
      defer { state.tell = nil }
      return state.tell
    }
  }

  private func serve(_ tap: Tap, _ engine: Engine) {
    let tell = state.withLock(\.tell)
    repeat {
      while case let batch = take(), !batch.isEmpty { for element in batch { tell?(element) } }
    } while !endServing(tap, engine)
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
  private func endServing(_ tap: Tap, _ engine: Engine) -> Bool {
    engine.locked {
      let ends = state.withLock { state in
        if state.waiting.isEmpty { state.isServing = false }
        return !state.isServing
      }
      if !ends { return false }
      tap.scope.countRun(counted: -1, all: -1)
      engine.workEnded(of: tap)
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
