import SampleProgram
import TestSupport
import Testing

@Suite struct ProgramTests {
  @Test("with every process killed at random moments, every order is booked once and in its order")
  func killed() async throws {
    let orders = TestSize.count(360, full: 1200)
    let outcome = try await Program(name: "orders").run(
      ["trial", "--at-once", "3", "--orders", "\(orders)", "--kills", "\(orders / 120)"])
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("booked \(orders) "))
  }

  @Test(
    "words that are not understood are named, with what would be",
    arguments: [
      (["--engine"], "--engine needs a value"), (["trial", "now"], "'now' is not understood"),
      (["trial", "--engine", "nosuch"], "'nosuch' is no engine for the trial"),
      (["worker", "--engine", "redis"], "'redis' is no engine for the worker"),
      (["worker", "--engine", "redis:1"], "worker needs --home"),
      (["worker", "--engine", "redis:many", "--home", "/tmp"], "'many' is no port"),
      (["trial", "--kills", "-3"], "--kills needs a number from 0, not '-3'"),
      (["bare", "--workers", "0"], "--workers needs a number from 1, not '0'"),
      (["trial", "--speed", "9"], "there is no option --speed"),
    ])
  func usage(words: [String], problem: String) async throws {
    let outcome = try await Program(name: "orders").run(words)
    #expect(outcome.exitCode == 2 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("orders: \(problem)\n\nusage: orders"), "\(outcome.errors)")
  }
}
