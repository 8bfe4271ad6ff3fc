import SampleProgram
import Testing

@testable import manytimers

@Suite("The command line of manytimers")
struct CommandLineTests {
  @Test(
    "arguments of manytimers are parsed into what they ask for",
    arguments: [
      ([], Invocation.list), (["-h"], .help), (["--help"], .help), (["--documents"], .documents),
      (["--rows", "7"], .load(LoadRun(rows: 7))),
      (["--rows", "7", "--ticks", "2"], .load(LoadRun(rows: 7, ticks: 2))),
    ])
  func valid(arguments: [String], invocation: Invocation) throws {
    #expect(try Invocation.parse(arguments) == invocation)
  }

  @Test(
    "wrong arguments of manytimers are reported in one line",
    arguments: [
      (["x"], "'x' is not an option; try --help"),
      (["--ticks", "2"], "'--ticks' is not an option; try --help"),
      (["--rows"], "--rows needs a number from 1 to 1000000"),
      (["--rows", "0"], "--rows needs a number from 1 to 1000000"),
      (["--rows", "many"], "--rows needs a number from 1 to 1000000"),
      (["--rows", "1000001"], "--rows needs a number from 1 to 1000000"),
      (["--rows", "1", "--ticks", "0"], "--ticks needs a number from 1 to 10000"),
      (["--rows", "1", "2"], "'2' is one too many"), (["--documents", "2"], "'2' is one too many"),
    ])
  func invalid(arguments: [String], line: String) {
    #expect(throws: Invocation.Invalid(description: line)) { try Invocation.parse(arguments) }
  }

  @Test("keys stand for rows, and there are ways to quit")
  func keys() {
    #expect(Key(byte: UInt8(ascii: "1")) == .toggle(1))
    #expect(Key(byte: UInt8(ascii: "c")) == .toggle(12))
    for byte in [UInt8(ascii: "q"), 3, 4] { #expect(Key(byte: byte) == .quit) }
    for byte in [UInt8(ascii: "0"), UInt8(ascii: "d"), 27, 255] { #expect(Key(byte: byte) == nil) }
  }

  @Test(
    "every way to run it ends by itself with exit code 0",
    arguments: [
      ([], "the end: clean\n"), (["--documents"], "closed all, asleep on the clock: 0\n"),
      (["--rows", "100"], "and nothing is left\n"), (["--help"], "if a single tick was lost\n"),
    ])
  func success(arguments: [String], end: String) async throws {
    let outcome = try await Program(name: "manytimers").run(arguments)
    #expect((outcome.exitCode, outcome.errors) == (0, ""))
    #expect(outcome.output.hasSuffix(end))
  }

  @Test("a wrong argument gives one line and exit code 2")
  func failure() async throws {
    let outcome = try await Program(name: "manytimers").run(["--rows", "many"])
    #expect((outcome.exitCode, outcome.output) == (2, ""))
    #expect(outcome.errors == "manytimers: --rows needs a number from 1 to 1000000\n")
  }
}
