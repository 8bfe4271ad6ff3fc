import Dispatch

/// Where a store reduces.
public struct ReducerQueue: Sendable {
  enum Kind: Sendable {
    case serial(DispatchQueue)
    case immediate
  }

  let kind: Kind

  // Turns are already one at a time by the store's own schedule, so stores share a queue of threads and an idle
  // store has none of its own.
  private static let shared: [DispatchQoS.QoSClass: DispatchQueue] = Dictionary(
    uniqueKeysWithValues: [DispatchQoS.background, .utility, .default, .userInitiated, .userInteractive].map {
      ($0.qosClass, DispatchQueue(label: "millrace.reducer", qos: $0, attributes: .concurrent))
    })

  /// A serial reducer queue off the caller's thread: what a program uses.
  ///
  /// Reductions are one at a time and in order, on a Dispatch thread of the given quality of service. A store
  /// with nothing to reduce occupies no thread.
  public static func serial(qos: DispatchQoS = .userInitiated) -> Self {
    ReducerQueue(kind: .serial(shared[qos.qosClass] ?? .global(qos: qos.qosClass)))
  }

  /// Reductions on the caller's stack: what a test uses.
  ///
  /// When `dispatch` or `connect` returns, its action is reduced or its component connected, unless it was
  /// called from inside a reduction of the same store. Observers, updates and runs are still called elsewhere.
  public static var immediate: Self { ReducerQueue(kind: .immediate) }

  var isImmediate: Bool {
    if case .immediate = kind { true } else { false }
  }
}
