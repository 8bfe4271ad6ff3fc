import Dispatch

/// Where a store reduces its actions.
public struct ReducerQueue: Sendable {
  /// `nil` for an immediate queue.
  private let queue: DispatchQueue?

  /// A serial reducer queue away from the caller's thread. Use it in programs.
  ///
  /// Actions are reduced one at a time and in order, on a Dispatch thread of the given quality of service. A store with
  /// nothing to reduce occupies no thread. If at least as many tasks as there are cores compute without a pause,
  /// reductions continue about 10 ms late, on a thread of a higher quality of service.
  public static func serial(qos: DispatchQoS.QoSClass = .default) -> Self {
    // The store's own schedule makes one turn at a time, so it needs no serial queue.
    ReducerQueue(queue: qos == .default ? usual : .global(qos: qos))
  }

  /// Reduces on the caller's stack. Use it in tests.
  ///
  /// When `dispatch` or `connect` returns, the action is reduced or the component connected, unless the call came
  /// from inside a reduction of the same store. Observers, updates and runs are still called elsewhere.
  public static var immediate: Self { ReducerQueue(queue: nil) }

  var isImmediate: Bool { queue == nil }

  /// Executes `work` on this or the rescuing queue; not if immediate.
  func async(isRescue: Bool, _ work: @escaping @Sendable () -> Void) {
    (isRescue ? Self.rescuing : queue)?.async(execute: work)
  }

  /// The queue of most stores, kept since Dispatch looks it up each time.
  private static let usual = DispatchQueue.global()
  fileprivate static let rescuing = DispatchQueue.global(qos: .userInteractive)
}

/// The stores whose drains are checked next. One timer serves the whole process, since a timer costs more than a drain.
enum DrainWatch {
  /// The time from one check to the next.
  private static let interval = DispatchTimeInterval.milliseconds(5)
  private static let watched = Lock((engines: [ObjectIdentifier: Engine](), isTimerSet: false))

  /// Has a store checked when the timer fires next, once. Keeps the store until then.
  static func add(_ engine: Engine) {
    let setsTimer = watched.withLock { watched in
      watched.engines[ObjectIdentifier(engine)] = engine
      defer { watched.isTimerSet = true }
      return !watched.isTimerSet
    }
    // On a thread that computing tasks do not occupy.
    if setsTimer { ReducerQueue.rescuing.asyncAfter(deadline: .now() + interval) { look() } }
  }

  /// The store has ended, and has nothing to drain.
  static func remove(_ engine: Engine) {
    _ = watched.withLock { $0.engines.removeValue(forKey: ObjectIdentifier(engine)) }
  }

  private static func look() {
    let engines = watched.withLock { watched in
      defer { watched = ([:], isTimerSet: false) }
      return watched.engines
    }
    // All are kept until the end, since the last reference to an engine releases the user's values, which may block.
    for engine in engines.values { engine.lookArrived() }
  }
}
