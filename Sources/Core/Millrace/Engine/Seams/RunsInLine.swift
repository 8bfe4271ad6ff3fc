/// An effect whose runs wait in a line before the effect within is run, such as one with a limit: what a test that answers
/// runs has to know.
package protocol RunsInLine {
  /// The line in which the run of a request waits; `nil` for a request of another effect.
  func place(for request: any Sendable) -> PlaceInLine?
}

/// An effect that runs the effect within again and again in one run. Between two attempts a run has no place in the lines
/// within, and a test that answers runs does not say when that is.
package protocol RepeatsRuns {}

/// A line with the priority of a run in it.
package typealias PlaceInLine = (line: any LineOfRuns, priority: Int)

/// A line in which runs wait for a place, such as a slot.
package protocol LineOfRuns: AnyObject, Sendable {
  /// The reason for which a run waits, in words.
  var reason: String { get }
  /// - Returns: `nil` if a place is free and taken now; otherwise a ticket, and `begin` is called once a place is.
  func enter(priority: Int, whenFree begin: @escaping @Sendable () -> Void) -> UInt64?
  /// Leaves the line without a place.
  func leave(_ ticket: UInt64)
  /// Gives back a place.
  func giveBack()
}
