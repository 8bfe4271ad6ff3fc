import Testing

@testable import MillraceCollections

@Suite("Keyed array, elements lent in place")
struct KeyedArrayLendingTests {
  private static let (one, other, third) = (
    KeyedRow.ID(1, hashes: 2), KeyedRow.ID(3, hashes: 2), KeyedRow.ID(2)
  )
  private let rows: KeyedArray = [KeyedRow(one, 10), KeyedRow(other, 30), KeyedRow(third, 20)]

  @Test("by id") func byID() {
    #expect(rows.lendElement(id: Self.other) { (row: borrowing KeyedRow) in row.value } == 30)
    #expect(rows.lendElement(id: 7) { (row: borrowing KeyedRow) in row.value } == nil)
    #expect(rows.withElement(id: Self.third) { $0.pointee.value } == 20)
  }

  @Test("by hash, only if no other element has the hash") func onlyByHash() {
    let value = { (row: borrowing KeyedRow) in row.value }
    #expect(rows.lendOnlyElement(hash: Self.third.hashValue, value) == 20)
    #expect(rows.onlyElement(hash: Self.third.hashValue)?.pointee.value == 20)
    #expect(rows.lendOnlyElement(hash: Self.one.hashValue, value) == nil)
    #expect(rows.onlyElement(hash: Self.one.hashValue) == nil)
    #expect(rows.lendOnlyElement(hash: 12_345, value) == nil)
    // A hash that differs from that of an element in one bit.
    for bit in 0..<63 {
      let other = Self.third.hashValue ^ (1 << bit)
      #expect(rows.lendOnlyElement(hash: other, value) == nil || other == Self.one.hashValue)
    }
  }

  @Test("all of a hash, and all") func several() {
    var (values, addressed): ([Int], [Int]) = ([], [])
    rows.lendElements(hash: Self.one.hashValue) { (row: borrowing KeyedRow) in values.append(row.value) }
    rows.forEachElement(hash: Self.one.hashValue) { addressed.append($0.pointee.value) }
    #expect(values.sorted() == [10, 30] && addressed.sorted() == [10, 30])
    var hashes: [Int] = []
    rows.lendElements { (row: borrowing KeyedRow, hash) in
      #expect(row.id.hashValue == hash)
      hashes.append(hash)
    }
    #expect(hashes == rows.ids.map(\.hashValue))
  }

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
