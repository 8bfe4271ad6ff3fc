import Testing

@testable import booking

@Suite("Links of the booking") struct LinkTests {
  @Test(
    "a link leads through its parents",
    arguments: [
      ("trips", [.trips]), ("tickets", [.trips, .tickets]), ("trip/7", [.trips, .trip(7)]),
      ("trip/12/seat", [.trips, .trip(12), .book(12, .seat)]),
    ] as [(String, [Screen])])
  func screens(link: String, screens: [Screen]) throws {
    #expect(try Link.screens(for: link) == screens)
  }

  @Test(
    "a link that leads nowhere is refused with what is wrong with it",
    arguments: [
      ("", "there is no '' to open in the link ''"),
      ("boat/1", "there is no 'boat' to open in the link 'boat/1'"),
      ("trip", "a trip has a number, not '', in the link 'trip'"),
      ("trip/x/seat", "a trip has a number, not 'x', in the link 'trip/x/seat'"),
      ("trip//seat", "a trip has a number, not '', in the link 'trip//seat'"),
      ("trip/8", "there is no trip 8"), ("trip/-7", "there is no trip -7"),
      (
        "trip/99999999999999999999",
        "a trip has a number, not '99999999999999999999', in the link 'trip/99999999999999999999'"
      ),
      ("trip/7/", "'' leads nowhere in the link 'trip/7/'"),
      ("trip/7/name", "'name' leads nowhere in the link 'trip/7/name'"),
      ("trip/7/seat/12a", "'12a' leads nowhere in the link 'trip/7/seat/12a'"),
      ("trips/7", "'7' leads nowhere in the link 'trips/7'"),
      ("/trips", "there is no '' to open in the link '/trips'"),
      ("Trips", "there is no 'Trips' to open in the link 'Trips'"),
    ])
  func invalid(link: String, reason: String) {
    #expect(throws: Link.Invalid(description: reason)) { try Link.screens(for: link) }
  }

  @Test(
    "a seat is a row and a letter",
    arguments: [
      ("12a", "12a"), ("1F", "1f"), ("20f", "20f"), ("21a", nil), ("0a", nil), ("12g", nil), ("a", nil),
      ("", nil),
      ("12", nil), ("-1a", nil), ("1 a", nil), ("12ä", nil),
    ])
  func seats(text: String, seat: String?) {
    #expect(Draft.seat(text) == seat)
  }
}

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
