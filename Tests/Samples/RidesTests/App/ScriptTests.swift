import RidesDomain
import Testing

@testable import rides

@Suite("Scripts")
struct ScriptTests {
  @Test("empty lines and comments are no steps, and blanks do not matter")
  func blanks() throws {
    let script = try Script("\n# hello\n  go   old  town \nstatus")
    #expect(script.steps.map(\.line) == ["go old town", "status"])
    #expect(script.steps[0].command == .act(.booking(.destinationChosen(Place("old town")))))
  }

  @Test(
    "what is not a command is named with its line",
    arguments: ["fly home", "go", "confirm now", "wait", "wait long", "wait 0", "wait 601", "sign-in"])
  func invalid(line: String) {
    #expect(throws: Script.Invalid(lineNumber: 2, reason: Command.Invalid(line: line))) {
      try Script("status\n\(line)\nstatus")
    }
  }

  @Test("the error reads as one line")
  func errorText() throws {
    let error = #expect(throws: Script.Invalid.self) { try Script("fly home") }
    #expect(error?.description == "line 1: 'fly home' is not a command")
  }
}
