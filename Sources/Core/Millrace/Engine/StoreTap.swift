import Dispatch

/// A tap with the calls that it makes away from the turns of its store. Unless it is an ``ActionTap``, it receives
/// whatever happens in the store while it is connected, in the turn in which it happens. A subclass overrides what it
/// needs.
class StoreTap: Tap, @unchecked Sendable {  // its variables are guarded by the turn lock
  final unowned let engine: Engine  // the engine owns this, and the `Connection` owns the engine
  /// The pending calls of an observer. They are made one at a time, in order, on a queue of their own, so that an
  /// observer that blocks delays nothing else. They are closures, since a generic type would be looked up for each.
  private final let calls = Lock<[@Sendable () -> Void]>([])
  private final lazy var queue = DispatchQueue(label: "millrace.observer")
  /// The number of its works that have not ended.
  private final var works = 0

  init(_ entry: Entry, in engine: Engine) {
    self.engine = engine
    super.init(entry)
  }

  func happened(_ event: StoreEvent) {}
  /// The action of the current turn was reduced.
  func reduced(from start: Moment, to end: Moment) {}
  /// Called on any thread, as for a ``TurnWitness``.
  func waits(_ wait: WitnessedWait) {}
  /// Called on any thread, with no lock held.
  func reported(_ diagnostic: StoreDiagnostic) {}

  override func connectionBegan() { engine.changeTaps { $0.append(self) } }

  override func connectionEnded() {
    engine.changeTaps { $0.removeAll { $0 === self } }
    dropCalls()
  }

  override final var ownWork: Int { works }

  // MARK: Its calls

  /// Has its observer called, after the calls that are pending.
  final func call(_ call: @escaping @Sendable () -> Void) {
    calls.withLock { $0.append(call) }
    if works > 0 { return }
    work(on: queue) {
      while case let calls = self.takeCalls(), !calls.isEmpty { for call in calls { call() } }
    } isDone: {
      self.calls.withLock(\.isEmpty)
    }
  }

  /// Drops the pending calls as the connection ends, unless it ends with the store or with its part.
  final func dropCalls() {
    if engine.isClosing(account) || account.isOver { return }
    let dropped = takeCalls()
    if !dropped.isEmpty { engine.decide { $0.release(dropped) } }
  }

  private final func takeCalls() -> [@Sendable () -> Void] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }

  /// Calls `body` away from the reducer queue, repeatedly until `isDone` returns true. `settled()` and `shutdown()`
  /// wait for it.
  ///
  /// - Parameters:
  ///   - delay: the time before the first call, in nanoseconds.
  ///   - isDone: called with the turn lock held, so that nothing happens between its answer and the end.
  final func work(
    on queue: DispatchQueue, after delay: UInt64 = 0, _ body: @escaping @Sendable () -> Void,
    isDone: @escaping @Sendable () -> Bool
  ) {
    count(1)
    let work: @Sendable () -> Void = { [self, engine] in
      var isOver = false
      while !isOver {
        body()
        isOver = engine.locked {
          guard isDone() else { return false }
          count(-1)
          engine.workEnded(of: self)
          return true
        }
      }
    }
    engine.deliver {
      if delay == 0 { return queue.async(execute: work) }
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay)), execute: work)
    }
  }

  private final func count(_ step: Int) {
    works += step
    account.countRun(counted: step, all: step)
  }
}
