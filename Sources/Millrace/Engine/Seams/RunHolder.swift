/// Takes runs in place of tasks that would serve them. Only the testing modules have one.
///
/// Called with no lock held, on the thread that has made the turn: stops before starts, as a store performs them.
package protocol RunHolder: Sendable {
  /// An effect was connected. Called with the turn lock held.
  func connected(_ effect: ConnectedEffect)
  /// A run was decided and is to begin.
  func begun(_ run: HeldRun)
  /// A run that is still held was stopped: nothing that it sends from here on is reduced.
  func stopped(_ run: HeldRun)
}

extension RunHolder {
  package func connected(_ effect: ConnectedEffect) {}
}

/// An effect with the types that it was connected with.
package struct ConnectedEffect {
  package let name: String
  package let requestType: Any.Type
  /// `Never` if it cannot fail.
  package let failureType: Any.Type
}
