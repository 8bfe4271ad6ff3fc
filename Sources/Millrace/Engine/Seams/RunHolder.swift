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

/// An effect whose runs wait in lines before they begin, such as one with a limit.
package protocol RunsInLine {
  /// The lines in which the run of a request waits, one after the other.
  func lines(for request: any Sendable) -> [PlaceInLine]
}

/// A line with the priority of a run in it.
package typealias PlaceInLine = (line: any RunLine, priority: Int)

/// A line in which runs wait for a place, such as a slot.
package protocol RunLine: AnyObject, Sendable {
  /// What a run waits for, in words.
  var reason: String { get }
  /// - Returns: `nil` if a place is free and taken now; otherwise a ticket, and `begin` is called once a place is.
  func enter(priority: Int, whenFree begin: @escaping @Sendable () -> Void) -> UInt64?
  /// Leaves the line without a place.
  func leave(_ ticket: UInt64)
  /// Gives back a place.
  func giveBack()
}
