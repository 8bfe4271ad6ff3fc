/// The result of a test whose program ended and began again at each of its points.
public struct CrashReport: Sendable, CustomStringConvertible {
  /// A difference that an end of the program makes, at the first point with that difference.
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

  /// The differences at the end of the test: parts of the state, requests that are still in progress, and, if a rerun
  /// does not end, the step that it repeats.
  public let endings: [Difference]
  /// The parts of the state that differ from what was persisted.
  public let losses: [Difference]
  /// The requests that were sent before the state that asks for them was saved, and that the restarted program does not
  /// know. See ``CrashAnywhere/saving(by:before:)``.
  public let unsavedRequests: [Difference]
  /// The number of steps of the test.
  public let steps: Int
  /// The number of points at which the program ended: after each step, and between the actions of an answer.
  public let points: Int
  /// The number of points that no rerun reached, since it took another course than the test.
  public let notReached: Int
  /// The types of requests named by ``CrashAnywhere/saving(by:before:)`` of which the test has none, so that nothing
  /// was checked.
  public let unseenTypes: [String]

  /// Whether the program can end at every point without a difference. `false` if there are no points, or if nothing was
  /// checked of a type that was named.
  public var isClean: Bool {
    endings.isEmpty && losses.isEmpty && unsavedRequests.isEmpty && points > 0 && notReached == 0
      && unseenTypes.isEmpty
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
    if !unseenTypes.isEmpty {
      parts.append("The test has no request of \(unseenTypes.joined(separator: " or ")): nothing was checked")
    }
    parts.append("\(steps) steps; the program ended and began again at \(points) points")
    return parts.joined(separator: "\n\n")
  }

  private func list(_ differences: [Difference]) -> String {
    differences.map(\.description).joined(separator: "\n\n")
  }
}
