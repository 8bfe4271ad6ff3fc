import Dispatch

/// The pending calls of a tap's observer. They are made one at a time, in order, on a queue of their own, so that an
/// observer that blocks delays nothing else. They are closures, since the type of a generic feed would be looked up for
/// each of them.
final class ObserverFeed: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    /// Whether the queue calls the observer, or is about to. Changed only with the turn lock held too.
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

  /// Ends the feed with its connection. Drops the pending calls, unless the connection ended with the store or with its
  /// part.
  func end(of tap: Tap, in engine: Engine) {
    if engine.isClosing(tap.account) || tap.account.isOver { return }
    let waiting = take()
    engine.decide { $0.release(waiting) }
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

  /// Ends the calls, unless a turn has appended one meanwhile.
  ///
  /// - Returns: whether they have ended.
  private func endServing() -> Bool {
    state.withLock { state in
      state.isServing = !state.waiting.isEmpty
      return !state.isServing
    }
  }
}

extension Engine {
  /// Calls `body` away from the reducer queue, repeatedly until `isDone` returns true. This is work of the tap:
  /// `settled()` and `shutdown()` wait for it.
  ///
  /// - Parameters:
  ///   - delay: the time before the first call, in nanoseconds.
  ///   - isDone: called with the turn lock held, so that nothing happens between its answer and the end.
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
    deliver {
      if delay == 0 { return queue.async(execute: work) }
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay)), execute: work)
    }
  }
}
