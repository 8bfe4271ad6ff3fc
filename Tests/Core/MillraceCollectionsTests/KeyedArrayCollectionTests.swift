import MillraceCollections
import Testing

@Suite("Keyed array, as a collection")
struct KeyedArrayCollectionTests {
  private let rows: KeyedArray = [KeyedRow(5), KeyedRow(1), KeyedRow(3)]

  @Test("a keyed array is a random-access collection of its elements in order") func collection() {
    #expect(Array(rows) == [KeyedRow(5), KeyedRow(1), KeyedRow(3)])
    #expect(rows.indices == 0..<3)
    #expect(rows.first == KeyedRow(5))
    #expect(rows.last == KeyedRow(3))
    #expect(Array(rows[1...]) == [KeyedRow(1), KeyedRow(3)])
    #expect(Array(rows.reversed()) == [KeyedRow(3), KeyedRow(1), KeyedRow(5)])
    #expect(rows.firstIndex(of: KeyedRow(1)) == 1)
    #expect(rows.ids == [5, 1, 3])
  }

  @Test("an empty one has nothing in it") func empty() {
    var none = KeyedArray<KeyedRow>()
    #expect(none.isEmpty && none.first == nil && none.ids.isEmpty && none.index(id: 1) == nil)
    let (removed, isMoved) = (none.remove(id: 1), none.move(id: 1, to: 0))
    #expect(removed == nil && none[id: 1] == nil && !isMoved)
    none.sort { $0.value < $1.value }
    none.reverse()
    none.mutateEach { $0.value = 1 }
    none.removeAll()
    none.move(fromOffsets: [], toOffset: 0)
    #expect(none == [] && none.isOrderEqual(to: []))
  }

  @Test("an iterator goes on over the version that it was made of") func iterating() {
    var rows = rows
    var seen: [KeyedRow] = []
    for row in rows {
      seen.append(row)
      rows.remove(id: row.id)
    }
    #expect(seen == Array(self.rows))
    #expect(rows.isEmpty)
  }

  @Test("equal ones hash alike, whatever they have been through") func hashing() {
    var other: KeyedArray = [KeyedRow(9), KeyedRow(3, 8), KeyedRow(5), KeyedRow(1)]
    other.remove(id: 9)
    other.move(id: 3, to: 2)
    #expect(other != rows)
    other[id: 3]?.value = 0
    #expect(other == rows)
    #expect(other.hashValue == rows.hashValue)
    other.reverse()
    #expect(other != rows)
  }

  @Test("a keyed array prints its elements in order") func printing() {
    let numbers: KeyedArray = [Number(id: 2), Number(id: 1)]
    #expect("\(numbers)" == "[2, 1]")
    #expect(String(reflecting: numbers) == "KeyedArray([2, 1])")
    #expect(Mirror(reflecting: numbers).children.count == 2)
  }
}

private struct Number: Identifiable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  let id: Int
  var description: String { "\(id)" }
  var debugDescription: String { "\(id)" }
}
