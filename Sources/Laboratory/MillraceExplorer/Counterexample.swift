import Millrace
import MillraceTesting

/// A property that does not hold, with a shortest way to a state that shows it.
///
/// Experimental: the explorer may change with every version.
public struct Counterexample<State: Sendable, Action: Sendable>: Sendable, CustomStringConvertible {
  /// The property, as `always("its name")`.
  public let property: String
  /// The place where the property was stated.
  public let site: CallSite
  /// The moves from the initial state.
  public let steps: [ExploredStep<Action>]
  /// The initial state, then the state after each move.
  public let states: [State]
  /// The requests in progress in each of these states.
  public let running: [RunningRequests]
  /// The moves, in words, one line each. Of the text of a request or an action with more than 120 characters, the story
  /// has the first 80 and the last 20; `steps` has the values.
  public let story: String
  /// A test in Swift that goes the same way and fails.
  ///
  /// Values are spelled by their memberwise initializers, and placeholders stand for what has no spelling. Where such an
  /// initializer is private, or is not there, the test does not compile: conform the type to ``SwiftSourceConvertible`` in the
  /// test target, or let a function make the store, by ``Explorer/printingTests(using:comparing:)``.
  public let test: String

  /// The story, then the test.
  public var description: String {
    let lines = test.split(separator: "\n").map { "  \($0)" }
    return "\(story)\n\nThis test shows it:\n\n\(lines.joined(separator: "\n"))"
  }
}
