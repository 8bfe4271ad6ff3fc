#if canImport(XCTest) && !canImport(Darwin)
import SampleProgram
import Testing

@Suite("Failures under XCTest") struct XCTestFailureTests {
  private let program = Program(name: "failingtests")

  @Test("a failure belongs to the test case that runs, at the line of the call, whatever the thread")
  func cases() async throws {
    let outcome = try await program.run()
    #expect(outcome.exitCode == 1 && outcome.isQuiet)
    let failures = outcome.output.split(separator: "\n").filter { $0.contains(": error: ") }
    let words = "failed - Client.load is not implemented in this test. It was called with"
    let unequal = #"XCTAssertEqual failed: ("[]") is not equal to ("["charged"]") - "#
    #expect(
      failures.map { String($0.drop { $0 != ":" }) } == [
        ":11: error: FailingTests.testInTheTest : \(words) () and returned.",
        ":16: error: FailingTests.testInADetachedTask : \(words) (1) and returned.",
        ":21: error: FailingTests.testOnAnotherThread : \(words) (2) and returned.",
        ":35: error: FailingTests.testStepsOfATestStore : failed - The state is not as expected after send(1):",
        ":37: error: FailingTests.testStepsOfATestStore : failed - Left at the end of the test:",
        // In the reruns in which the charge never answers and answers late. XCTest counts them.
        ":44: error: FailingTests.testAssertionsInReruns : \(unequal)",
        ":44: error: FailingTests.testAssertionsInReruns : \(unequal)",
      ])
    #expect(failures.allSatisfy { $0.contains("/Tests/Laboratory/FailingTests/main.swift:") })
    #expect(outcome.output.contains("send(1):\n\n  expected 2, is 1\n"))
    let left = "  in progress: load \"page 2\", asked for by 1, waits for an answer\n"
    #expect(outcome.output.contains("Left at the end of the test:\n\n\(left)"))
  }

  @Test("outside of a test, a failure is a line on standard error")
  func outside() async throws {
    let outcome = try await program.run(["outside"])
    #expect(outcome.exitCode == 0 && outcome.output == "")
    #expect(
      outcome.errors == """
        failingtests/main.swift:85: failure outside of a test: Client.load is not implemented in this test. It was \
        called with () and returned.

        """)
  }
}
#endif
