import Dispatch

/// Where a store reduces its actions.
public struct ReducerQueue: Sendable {
  private enum Kind: Sendable {
    case serial(DispatchQueue)
    case immediate
  }

  private let kind: Kind

  /// A serial reducer queue away from the caller's thread. Use it in programs.
  ///
  /// Actions are reduced one at a time and in order, on a Dispatch thread of the given quality of service. A store
  /// with nothing to reduce occupies no thread. If at least as many tasks as there are cores compute without a pause,
  /// reductions continue about 10 ms late, on a thread of a higher quality of service.
  public static func serial(qos: DispatchQoS.QoSClass = .default) -> Self {
    // Turns are one at a time by the store's own schedule: it needs no queue of its own.
    ReducerQueue(kind: .serial(.global(qos: qos)))
  }

  /// Reduces on the caller's stack. Use it in tests.
  ///
  /// When `dispatch` or `connect` returns, the action is reduced or the component connected, unless the call came
  /// from inside a reduction of the same store. Observers, updates and runs are still called elsewhere.
  public static var immediate: Self { ReducerQueue(kind: .immediate) }

  var isImmediate: Bool {
    if case .immediate = kind { true } else { false }
  }

  /// Executes `work` on a thread of it; nothing if it has none.
  func async(isRescue: Bool, _ work: @escaping @Sendable () -> Void) {
    guard case .serial(let queue) = kind else { return }
    (isRescue ? Self.rescuing : queue).async(execute: work)
  }

  private static let rescuing = DispatchQueue.global(qos: .userInteractive)

  /// How long after a drain was begun it is looked whether it got through.
  private static let lookInterval = DispatchTimeInterval.milliseconds(5)

  /// Executes `work` after the time of a look, on a thread that computing tasks leave alone.
  func lookLater(_ work: @escaping @Sendable () -> Void) {
    Self.rescuing.asyncAfter(deadline: .now() + Self.lookInterval, execute: work)
  }
}
