import MillraceCollections
import Testing

@Suite("Keyed arrays: elements in the same memory") struct KeyedArraySameMemoryTests {
  /// An element that is not equal to itself.
  private struct Odd: Identifiable, Equatable, Sendable {
    let id: Int
    var value = Double.nan
  }

  @Test("an element in the same memory is equal without being compared, as in an array") func sameMemory() {
    let odd: KeyedArray = [Odd(id: 1), Odd(id: 2)]
    var moved = odd
    moved.move(id: 1, to: 1)
    moved.move(id: 1, to: 0)
    #expect(moved == odd)
    moved.forEachChange(since: odd) { Issue.record("\($0) is no change") }
    moved[id: 1]?.value = .nan
    #expect(moved != odd)
  }
}
