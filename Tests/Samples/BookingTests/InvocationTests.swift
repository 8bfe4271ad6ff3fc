import Testing

@testable import booking

@Suite("The booking's command line") struct InvocationTests {
  @Test(
    "words become options",
    arguments: [
      ([], .run(opening: nil, file: nil)),
      (["open", "trip/7"], .run(opening: [.trips, .trip(7)], file: nil)),
      (["--file", "f", "open", "trips"], .run(opening: [.trips], file: "f")), (["--script"], .script),
      (["open", "trips", "-h"], .help),
    ] as [([String], Invocation)])
  func valid(words: [String], invocation: Invocation) throws {
    #expect(try Invocation(words) == invocation)
  }

  @Test(
    "a mistake is named",
    arguments: [
      (["open"], "open needs a link"), (["--file"], "--file needs a path"),
      (["--file", ""], "--file needs a path"),
      (["go"], "'go' is not expected; try --help"),
      (["open", "trips", "open", "trips"], "'open' is not expected; try --help"),
      (["--script", "--file", "f"], "--script goes with nothing else"),
    ])
  func invalid(words: [String], reason: String) {
    #expect(throws: Invocation.Invalid(description: reason)) { try Invocation(words) }
  }
}
