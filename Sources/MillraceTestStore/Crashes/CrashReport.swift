import MillraceTesting

/// What became of a test whose program ended and began again after each of its steps.
public struct CrashReport: Sendable, CustomStringConvertible {
  /// A step after which the end of the program changes what the test ends with.
  public struct Difference: Sendable, CustomStringConvertible {
    /// After which step of the test, counted from 1.
    public let step: Int
    /// The last action that was reduced before the end of the program, in words.
    public let action: String
    /// What differs.
    public let text: String

    /// The step and what differs.
    public var description: String { "  after step \(step), \(action):\n\n\(text)" }
  }

  /// The steps after which the end state of the test is another one.
  public let endings: [Difference]
  /// The steps after which the state itself is not what was persisted.
  public let losses: [Difference]
  /// How many steps the test has.
  public let steps: Int

  /// Whether the program can end after every step.
  public var isClean: Bool { endings.isEmpty && losses.isEmpty }

  /// What differs, then how many steps were tried.
  public var description: String {
    var parts: [String] = []
    if !losses.isEmpty { parts.append("What is persisted is not the state:\n\n\(list(losses))") }
    if !endings.isEmpty { parts.append("The test ends with another state:\n\n\(list(endings))") }
    parts.append("\(steps) steps, each followed by an end of the program")
    return parts.joined(separator: "\n\n")
  }

  private func list(_ differences: [Difference]) -> String {
    differences.map(\.description).joined(separator: "\n\n")
  }
}
