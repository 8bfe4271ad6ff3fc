/// Something that is told of every fate of every action and run in a store: for logs, metrics and tools.
///
/// ```swift
/// final class FenceLog: StoreObserver {
///   func observe(_ event: StoreEvent) {
///     if case .turnedAway(let action, .fenced, _) = event.kind { print("came too late: \(action)") }
///   }
/// }
/// ```
public protocol StoreObserver: AnyObject, Sendable {
  /// Told of one event after the other, in order, on a thread of its own and under no lock of the runtime. A slow
  /// observer delays nobody; what it has not been told yet is kept for it.
  func observe(_ event: StoreEvent)
}
