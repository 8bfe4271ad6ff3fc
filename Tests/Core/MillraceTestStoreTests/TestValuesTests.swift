import Foundation
import MillraceTestStore
import MillraceTesting
import Testing

@Suite("Numbered UUIDs and dates of a test clock") struct TestValuesTests {
  @Test("UUIDs end in consecutive numbers") func uuids() {
    // IncrementingIDs
    let ids = IncrementingIDs.uuids()
    #expect(ids.next().uuidString == "00000000-0000-0000-0000-000000000000")
    #expect(ids.next().uuidString == "00000000-0000-0000-0000-000000000001")
    #expect(IncrementingIDs.uuids(from: 0x1F).next().uuidString == "00000000-0000-0000-0000-00000000001F")
    #expect(IncrementingIDs.uuids(from: 1 << 62).next().uuidString == "00000000-0000-0000-4000-000000000000")
  }

  @Test("the date moves with the clock") func dates() {
    // TestClock
    let clock = TestClock()
    let today: @Sendable () -> Date = { clock.date() }
    clock.advance(by: .seconds(60))
    #expect(today() == Date(timeIntervalSince1970: 60))
    clock.advance(by: .milliseconds(500))
    let start = Date(timeIntervalSince1970: 1000)
    #expect(clock.date(startingAt: start) == Date(timeIntervalSince1970: 1060.5))
  }
}
