/// Commands to be entered one after the other, each with its line of the script.
struct Script: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    let line: String
    let command: Command
  }

  /// The place of a mistake in a script.
  struct Invalid: Error, Hashable, CustomStringConvertible {
    let lineNumber: Int
    let reason: Command.Invalid
    var description: String { "line \(lineNumber): \(reason)" }
  }

  let steps: [Step]

  /// Reads a script, or throws the line of its first mistake.
  init(_ text: String) throws(Invalid) {
    var steps: [Step] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do throws(Command.Invalid) {
        guard let command = try Command.parse(String(line)) else { continue }
        let words = line.split(whereSeparator: \.isWhitespace)
        steps.append(Step(line: words.joined(separator: " "), command: command))
      } catch {
        throw Invalid(lineNumber: index + 1, reason: error)
      }
    }
    self.steps = steps
  }

  /// A day of one passenger, with everything that can happen.
  static let day = """
    # Signing in.
    sign-in mallory
    sign-in ada
    status

    # A ride there, paid by credit and by a card that is declined at first.
    go moon
    go airport
    confirm
    wait 2
    status
    wait 6
    retry
    status

    # A ride back, called off on the way: half the fare is due.
    home airport
    go museum
    confirm
    wait 3
    call-off
    status
    sign-out
    """
}
