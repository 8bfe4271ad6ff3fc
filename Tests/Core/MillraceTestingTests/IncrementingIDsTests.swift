import MillraceTesting
import TestSupport
import Testing

@Suite struct IncrementingIDsTests {
  @Test("ids are made of consecutive numbers") func consecutive() {
    let ids = IncrementingIDs(from: 7)
    #expect([ids.next(), ids.next(), ids.next()] == [7, 8, 9])
    let names = IncrementingIDs { "row \($0)" }
    #expect([names.next(), names.next()] == ["row 0", "row 1"])
  }

  @Test("no number is given twice, whatever the threads") func threads() async {
    let ids = IncrementingIDs()
    let given = Recorder<Int>()
    await onThreads(4) { _ in
      for _ in 0..<250 { given.append(ids.next()) }
    }
    #expect(given.values.sorted() == Array(0..<1000))
  }
}
