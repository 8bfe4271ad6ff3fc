import MillraceTestStore

/// The result of a test whose program ended and began again at each of its points.
public struct CrashReport: Sendable, CustomStringConvertible {
  /// Something that an end of the program changes, told of the first point at which it does.
  public struct Difference: Sendable, CustomStringConvertible {
    /// The step of the test after which the program ended, counted from 1.
    public let step: Int
    /// Whether the program ended within this step, between two actions of an answer.
    public let isWithinStep: Bool
    /// The last action that was reduced before the end of the program, in words.
    public let action: String
    /// The difference, and the number of other points with it.
    public internal(set) var text: String

    init<State>(_ crash: Crash<State>, text: String) {
      (step, isWithinStep, action) = (crash.step, crash.isWithinStep, crash.action)
      self.text = text
    }

    /// The step and what differs.
    public var description: String {
      "  \(isWithinStep ? "within" : "after") step \(step), \(action):\n\n\(text)"
    }
  }

  /// The parts of the state with which the test ends otherwise, the requests that it leaves in progress then, and the step
  /// that it repeats if it does not end.
  public let endings: [Difference]
  /// The parts of the state that are not what was persisted.
  public let losses: [Difference]
  /// The requests that were sent before what asks for them was saved, and of which the program that begins again does not
  /// know. See ``CrashAnywhere/saving(by:before:)``.
  public let unsavedRequests: [Difference]
  /// How many steps the test has.
  public let steps: Int
  /// At how many points the program ended: after each step, and between the actions of an answer.
  public let points: Int
  /// How many of the points a rerun did not reach, since it went another way than the test.
  public let notReached: Int

  /// Whether the program can end at every point. Not so if there are none.
  public var isClean: Bool {
    endings.isEmpty && losses.isEmpty && unsavedRequests.isEmpty && points > 0 && notReached == 0
  }

  /// The differences, then the number of points tried.
  public var description: String {
    var parts: [String] = []
    if !losses.isEmpty { parts.append("What is persisted is not the state:\n\n\(list(losses))") }
    if !endings.isEmpty { parts.append("The test ends with another state:\n\n\(list(endings))") }
    if !unsavedRequests.isEmpty { parts.append("Sent before it was saved:\n\n\(list(unsavedRequests))") }
    if notReached > 0 {
      parts.append("\(notReached) points were not reached: the test takes another way when it is run again")
    }
    parts.append("\(steps) steps; the program ended and began again at \(points) points")
    return parts.joined(separator: "\n\n")
  }

  private func list(_ differences: [Difference]) -> String {
    differences.map(\.description).joined(separator: "\n\n")
  }
}
