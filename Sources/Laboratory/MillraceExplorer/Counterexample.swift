import Millrace
import MillraceTesting

/// A property that does not hold, with a shortest path to a state that shows it.
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
  /// The requests in progress in each of ``states``.
  public let running: [RunningRequests]
  /// The moves in words, one line each. Texts of requests and actions longer than 120 characters are cut to the first
  /// 80 and the last 20; ``steps`` has the values.
  public let story: String
  /// A test in Swift that makes the same moves and fails.
  ///
  /// Values are spelled by their memberwise initializers; a placeholder stands for a value that cannot be spelled. If
  /// such an initializer is private or missing, the test does not compile. Then conform the type to
  /// ``SwiftSourceConvertible`` in the test target, or let a function make the store, by
  /// ``Explorer/printingTests(using:comparing:)``.
  public let test: String

  /// The story, then the test.
  public var description: String {
    let lines = test.split(separator: "\n").map { "  \($0)" }
    return "\(story)\n\nThis test shows it:\n\n\(lines.joined(separator: "\n"))"
  }
}
