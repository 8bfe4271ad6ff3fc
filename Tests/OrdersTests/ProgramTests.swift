import SampleProgram
import Testing

@Suite struct ProgramTests {
  @Test("with every process killed at random moments, every order is booked once and in its order")
  func killed() async throws {
    let outcome = try await Program(name: "orders").run(
      ["trial", "--at-once", "3", "--orders", "1200", "--kills", "10"])
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("booked 1200 "))
  }

  @Test("words that are not understood are answered by what would be")
  func usage() async throws {
    let outcome = try await Program(name: "orders").run(["--engine"])
    #expect(outcome.exitCode == 2 && outcome.errors.contains("usage: orders"))
  }
}
