import MillraceTesting
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
    #expect(outcome.exitCode == 0 && outcome.isQuiet, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix(end))
  }

  @Test("a wrong argument gives one line and exit code 2")
  func failure() async throws {
    let outcome = try await Program(name: "manytimers").run(["--rows", "many"])
    #expect((outcome.exitCode, outcome.output) == (2, ""))
    #expect(outcome.errors == "manytimers: --rows needs a number from 1 to 1000000\n")
  }
}

@Suite("Many rows")
struct LoadRunTests {
  @Test("no tick is lost, and nothing is left", arguments: [(1, 1), (3, 100), (500, 4)])
  func run(rows: Int, ticks: Int) async {
    let result = await LoadRun(rows: rows, ticks: ticks).run()
    #expect(result.faults == [])
    #expect((result.rows, result.actions) == (rows, rows * ticks))
  }

  @Test("the report says what was sustained, or what is wrong")
  func report() {
    var result = LoadRun.Result(
      rows: 2, actions: 20, idleBytesPerRow: 100, runningBytesPerRow: 300, connecting: .milliseconds(1),
      starting: .milliseconds(2),
      running: .milliseconds(10))
    #expect(
      LoadReport.lines(of: result) == [
        "2 timers in one list", "connected in 1 ms, started in 2 ms",
        "100 bytes per idle row, 300 while its timer runs", "20 ticks in 10 ms: 2000 actions per second",
        "every timer ticked as often as it should, and nothing is left",
      ])
    result.faults = ["1 timers have not ticked 10 times"]
    result.idleBytesPerRow = nil
    #expect(
      LoadReport.lines(of: result).dropFirst(2) == [
        "memory cannot be measured on this system", "20 ticks in 10 ms: 2000 actions per second",
        "1 timers have not ticked 10 times",
      ])
  }
}

@Suite("Sessions without a terminal")
struct SessionTests {
  @Test("the list, word for word")
  func list() async throws {
    let lines = Recorder<String>()
    try await PlainSession { lines.append($0) }.run()
    #expect(
      lines.values == [
        "key 1", "key 2", "key c",
        "after 5 ticks", "  1  >    0.5 s", "  2  >    0.5 s", "  c  >    0.5 s",
        "key 2",
        "after 7 ticks", "  1  >    1.2 s", "  2  .    0.5 s", "  c  >    1.2 s",
        "key 2", "key 1",
        "after 3 ticks", "  1  .    1.2 s", "  2  >    0.8 s", "  c  >    1.5 s",
        "the end: clean",
      ])
  }

  @Test("the documents, word for word")
  func documents() async {
    let lines = Recorder<String>()
    await DocumentSession.run { lines.append($0) }
    #expect(
      lines.values == [
        "opened and started draft", "opened and started letter", "opened and started report",
        "stopped letter",
        "draft: >    0.1 s", "letter: .    0.0 s", "report: >    0.1 s",
        "closed draft: clean", "  what is connected and runs: 0", "  the store itself: gone",
        "  asleep on the clock: 1",
        "opened draft again: .    0.0 s",
        "closed all, asleep on the clock: 0",
      ])
  }
}
