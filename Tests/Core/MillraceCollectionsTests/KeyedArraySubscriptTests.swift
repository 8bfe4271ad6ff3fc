import MillraceCollections
import Testing

private struct Holder: Equatable, Sendable { var rows: KeyedArray<KeyedRow> = [KeyedRow(3), KeyedRow(7)] }

@Suite("Keyed array, subscripts")
struct KeyedArraySubscriptTests {
  @Test("an element can be named by a key path") func keyPath() {
    let path: any KeyPath<Holder, KeyedRow?> & Sendable = \.rows[id: 3]
    #expect(Holder()[keyPath: path] == KeyedRow(3))
    #expect(\Holder.rows[id: 3] == \Holder.rows[id: 3])
    #expect(\Holder.rows[id: 3] != \Holder.rows[id: 7])
  }

  @Test("a change through optional chaining is made in place, and none where there is no element")
  func optionalChaining() {
    var holder = Holder()
    holder.rows[id: 7]?.value = 5
    holder.rows[id: 8]?.value = 5
    #expect(holder.rows == [KeyedRow(3), KeyedRow(7, 5)])
  }
}
