/// An object that receives every event of a store, for logs, metrics and tools: each action that is reduced, fenced
/// or refused, and each run that starts, ends or is stopped.
///
/// ```swift
/// final class FenceLog: StoreObserver {
///   func observe(_ event: StoreEvent) {
///     if case .turnedAway(let action, .fenced, _) = event.kind { print("came too late: \(action)") }
///   }
/// }
/// ```
public protocol StoreObserver: AnyObject, Sendable {
  /// Receives one event. Events arrive one after another, in order, on a thread of the observer's own. No lock of the
  /// runtime is held. A slow observer delays nothing else; the events that it has not received yet are kept in memory.
  func observe(_ event: StoreEvent)
}
