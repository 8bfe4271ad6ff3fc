import Testing

@testable import rides

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
