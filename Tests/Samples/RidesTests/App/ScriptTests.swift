import MillraceTesting
import RidesDomain
import TestSupport
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

@Suite("The command line of rides")
struct InvocationTests {
  @Test(
    "arguments of rides are parsed into what they ask for",
    arguments: [
      ([], Invocation.play(scriptAt: nil)), (["--help"], .help), (["-h"], .help),
      (["--script", "a"], .play(scriptAt: "a")),
    ])
  func valid(arguments: [String], invocation: Invocation) throws {
    #expect(try Invocation.parse(arguments) == invocation)
  }

  @Test(
    "what is wrong is said in one line",
    arguments: [
      (["--foo"], "'--foo' is not an option; try --help"), (["--script"], "--script needs a file"),
      (["--script", "a", "b"], "'b' is one too many"),
    ])
  func invalid(arguments: [String], line: String) {
    #expect(throws: Invocation.Invalid(description: line)) { try Invocation.parse(arguments) }
  }
}

@Suite("The app's transcript")
struct TranscriptTests {
  private func play(_ text: String) async throws -> (lines: [String], end: Rides) {
    let lines = Recorder<String>()
    let (end, left) = try await Session(world: City()) { lines.append($0) }.run(try Script(text))
    #expect(left.isClean)
    return (lines.values, end)
  }

  @Test("a whole day, word for word")
  func day() async throws {
    let (lines, end) = try await play(Script.day)
    #expect(lines.map { "\($0)\n" }.joined() == (try Checkout.text("Samples/Rides/App/transcript.txt")))
    #expect(end.profile == .guest)
  }

  @Test("a script may end while somebody rides: the ride is stopped")
  func endsMidway() async throws {
    let (lines, end) = try await play("sign-in ada\ngo zoo\nconfirm\nwait 1")
    #expect(lines.last == "  ride 1: Kofi is 1 min away")
    #expect(end.ride?.minute == 1)
  }
}
