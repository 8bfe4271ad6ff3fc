import MillraceTesting
import Testing

@testable import rides

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
    #expect(lines.joined(separator: "\n") == Self.day)
    #expect(end.profile == .guest)
  }

  @Test("a script may end while somebody rides: the ride is stopped")
  func endsMidway() async throws {
    let (lines, end) = try await play("sign-in ada\ngo zoo\nconfirm\nwait 1")
    #expect(lines.last == "  ride 1: Kofi is 1 min away")
    #expect(end.ride?.minute == 1)
  }

  private static let day = """
    > sign-in mallory
      looking up mallory
      nobody is called mallory
    > sign-in ada
      looking up ada
      welcome, Ada; your credit is 10.00
    > status
      Ada at the old town, credit 10.00
      no ride
      nothing paid
    > go moon
      pricing old town to moon
      no ride: no road leads there
    > go airport
      pricing old town to airport
      old town to airport costs 13.50
    > confirm
      asking for a ride, old town to airport
      ride 1: Kofi is 2 min away
    > wait 2
      ride 1: Kofi is 1 min away
      ride 1: Kofi drives you, 5 min left
    > status
      Ada at the old town, credit 10.00, went to: airport
      ride 1: Kofi drives you, 5 min left
      nothing paid
    > wait 6
      ride 1: Kofi drives you, 4 min left
      ride 1: Kofi drives you, 3 min left
      ride 1: Kofi drives you, 2 min left
      ride 1: Kofi drives you, 1 min left
      the ride is over
      charging 3.50, attempt 1
      3.50 declined: the bank did not answer
    > retry
      charging 3.50, attempt 2
      13.50 paid, 10.00 of it by credit
    > status
      Ada at the old town, credit 0.00, went to: airport
      no ride
      paid 13.50 for 1
    > home airport
      you will be fetched at the airport
    > go museum
      pricing airport to museum
      airport to museum costs 12.50
    > confirm
      asking for a ride, airport to museum
      ride 2: Mei is 2 min away
    > wait 3
      ride 2: Mei is 1 min away
      ride 2: Mei drives you, 5 min left
      ride 2: Mei drives you, 4 min left
    > call-off
      the ride is over
      charging 6.25, attempt 1
      6.25 paid, 0.00 of it by credit
    > status
      Ada at the airport, credit 0.00, went to: museum, airport
      no ride
      paid 19.75 for 2
    > sign-out
      goodbye
    """
}
