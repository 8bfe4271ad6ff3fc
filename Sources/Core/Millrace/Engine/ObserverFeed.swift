import Dispatch

/// The calls that a tap owes to its observer. They are made one at a time, in order, on a queue of its own: an observer that
/// blocks delays nothing else. Closures, since a feed of a generic type would look that up for each of them.
final class ObserverFeed: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    /// Whether the queue calls the observer, or is about to. Changed with the turn lock held, too.
    var isServing = false
  }

  private let queue = DispatchQueue(label: "millrace.observer")
  private let state = Lock(State())

  var isServing: Bool { state.withLock(\.isServing) }

  func append(of tap: Tap, in engine: Engine, _ call: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      state.waiting.append(call)
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

  private func serve() {
    while case let batch = take(), !batch.isEmpty { for call in batch { call() } }
  }

  private func take() -> [@Sendable () -> Void] {
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
