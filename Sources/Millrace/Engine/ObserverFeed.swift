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
    if begins { engine.work(of: tap, on: queue, { self.serve() }, isDone: { self.endServing() }) }
  }

  /// The connection has ended: drops what waits, unless it ended with the store or with its part.
  func end(of tap: Tap, in engine: Engine) {
    if engine.isClosing(tap.account) || tap.account.isOver { return }
    engine.decided.release(take())
  }

  func forget() -> Any? {
    state.withLock { state in
      defer { state.tell = nil }
      return state.tell
    }
  }

  private func serve() {
    let tell = state.withLock(\.tell)
    while case let batch = take(), !batch.isEmpty { for element in batch { tell?(element) } }
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
  private func endServing() -> Bool {
    state.withLock { state in
      state.isServing = !state.waiting.isEmpty
      return !state.isServing
    }
  }
}

extension Engine {
  /// Calls `body` away from the reducer queue, again and again until `isDone` says that nothing is left. It is work of the
  /// tap: `settled()` and `shutdown()` wait for it.
  ///
  /// - Parameters:
  ///   - delay: after how many nanoseconds it is called first.
  ///   - isDone: called with the turn lock held, so that nothing is seen between its answer and the end.
  func work(
    of tap: Tap, on queue: DispatchQueue, after delay: UInt64 = 0, _ body: @escaping @Sendable () -> Void,
    isDone: @escaping @Sendable () -> Bool
  ) {
    tap.account.countRun(counted: 1, all: 1)
    let work: @Sendable () -> Void = { [self] in
      var isOver = false
      while !isOver {
        body()
        isOver = locked {
          guard isDone() else { return false }
          tap.account.countRun(counted: -1, all: -1)
          workEnded(of: tap)
          return true
        }
      }
    }
    decided.deliver {
      if delay == 0 { return queue.async(execute: work) }
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay)), execute: work)
    }
  }
}
