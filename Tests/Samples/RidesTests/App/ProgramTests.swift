import SampleProgram
import Testing

@Suite("The programs as a user runs them")
struct ProgramTests {
  @Test("rides plays its day and ends with exit code 0")
  func rides() async throws {
    let outcome = try await Program(name: "rides").run()
    #expect(outcome.exitCode == 0)
    #expect(outcome.isQuiet, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("> sign-out\n  goodbye\nthe end: clean\n"))
  }

  @Test("rides-kiosk plays its morning and ends with exit code 0")
  func kiosk() async throws {
    let outcome = try await Program(name: "rides-kiosk").run()
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasSuffix("the end: clean\n"))
  }

  @Test("help is printed on request", arguments: ["rides", "rides-kiosk"])
  func help(name: String) async throws {
    let outcome = try await Program(name: name).run(["--help"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("usage: \(name)"))
  }

  @Test("a wrong argument gives one line and exit code 2", arguments: ["rides", "rides-kiosk"])
  func wrong(name: String) async throws {
    let outcome = try await Program(name: name).run(["--foo"])
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("\(name): '--foo' is not an option"))
    #expect(outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
  }

  @Test("a script that cannot be read gives one line and exit code 2")
  func missingScript() async throws {
    let outcome = try await Program(name: "rides").run(["--script", "/nowhere"])
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors == "rides: cannot read '/nowhere'\n")
  }
}
