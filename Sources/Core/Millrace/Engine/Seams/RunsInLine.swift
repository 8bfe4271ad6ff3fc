/// An effect whose runs wait in a line before the wrapped effect is run, such as one with a limit. A test that answers
/// runs uses it.
package protocol RunsInLine {
  /// The line in which the run of a request waits; `nil` for a request of another effect.
  func place(for request: any Sendable) -> PlaceInLine?
}

/// An effect that runs the wrapped effect repeatedly in one run. Between two attempts, the run has no place in the
/// lines of the wrapped effect. A test that answers runs does not control when that is.
package protocol RepeatsRuns {}

/// A line, and the priority of a run in it.
package typealias PlaceInLine = (line: any LineOfRuns, priority: Int)

/// A line in which runs wait for a free place, such as a slot.
package protocol LineOfRuns: AnyObject, Sendable {
  /// The reason for which a run waits, in words.
  var reason: String { get }
  /// - Returns: `nil` if a free place was taken; otherwise a ticket, and `begin` is called when a place is free.
  func enter(priority: Int, whenFree begin: @escaping @Sendable () -> Void) -> UInt64?
  /// Withdraws a run still waiting.
  func leave(_ ticket: UInt64)
  /// Gives back a place.
  func giveBack()
}
