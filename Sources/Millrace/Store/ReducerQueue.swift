import Dispatch

/// Where a store reduces.
public struct ReducerQueue: Sendable {
  enum Kind: Sendable {
    /// - Parameter isOfTasks: whether its threads are those of tasks without a priority.
    case serial(DispatchQueue, isOfTasks: Bool)
    case immediate
  }

  let kind: Kind

  /// A serial reducer queue off the caller's thread: what a program uses.
  ///
  /// Reductions are one at a time and in order, on a Dispatch thread of the given quality of service. A store with
  /// nothing to reduce occupies no thread. The default is that of tasks without a priority: then the thread that has
  /// decided a run also begins it, once nothing is left to reduce, and reduces what it sends before it first waits. With
  /// any other, every run begins on a thread of its own, which costs waking it.
  public static func serial(qos: DispatchQoS.QoSClass = .default) -> Self {
    // Turns are already one at a time by the store's own schedule: it needs no queue of its own.
    ReducerQueue(kind: .serial(.global(qos: qos), isOfTasks: qos == .default))
  }

  /// Reductions on the caller's stack: what a test uses.
  ///
  /// When `dispatch` or `connect` returns, its action is reduced or its component connected, unless it was
  /// called from inside a reduction of the same store. Observers, updates and runs are still called elsewhere.
  public static var immediate: Self { ReducerQueue(kind: .immediate) }

  /// Executes `work` on a thread of it; nothing if it has none.
  func async(after delay: Duration? = nil, _ work: @escaping @Sendable () -> Void) {
    guard case .serial(let queue, _) = kind else { return }
    guard let delay else { return queue.async(execute: work) }
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay / .nanoseconds(1))), execute: work)
  }

  /// Whether a thread of it may begin a run.
  var beginsRuns: Bool {
    if case .serial(_, isOfTasks: true) = kind { true } else { false }
  }

  var isImmediate: Bool {
    if case .immediate = kind { true } else { false }
  }
}
