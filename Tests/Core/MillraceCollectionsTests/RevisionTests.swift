import Testing

@testable import MillraceCollections

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var value = 0
}

@Suite("Keyed array, log of changes")
struct RevisionTests {
  private var rows = KeyedArray(uniqueElements: (0..<1000).map { Row(id: $0) })

  private func touched(since revision: Revision?) -> Set<Int>? {
    var hashes: Set<Int> = []
    guard let revision, rows.revision?.forEachHashTouched(since: revision, { hashes.insert($0) }) == true
    else { return nil }
    return hashes
  }

  @Test("every change is told by the hash of the id") mutating func changes() throws {
    let first = rows.revision
    rows[id: 3]?.value += 1
    rows.mutate(id: 4) { $0.value += 1 }
    rows.remove(id: 5)
    rows.append(Row(id: 2000))
    rows.updateOrAppend(Row(id: 6, value: 1))
    rows[id: 7] = nil
    #expect(touched(since: first) == Set([3, 4, 5, 6, 7, 2000].map(\.hashValue)))
    let second = rows.revision
    #expect(touched(since: second) == nil)
    rows[id: 8]?.value += 1
    #expect(touched(since: second) == [8.hashValue])
    #expect(touched(since: first) == nil)
  }

  @Test("an element is changed where it lies though somebody remembers the revision")
  mutating func inPlace() {
    func addresses() -> [ObjectIdentifier?] {
      let item = rows.slot(of: 9)?.object
      return [rows.order.root.map(ObjectIdentifier.init), item.map(ObjectIdentifier.init)]
    }
    rows[id: 9]?.value += 1  // whoever made the rows may still hold them
    let revision = rows.revision
    let before = addresses()
    rows[id: 9]?.value += 1
    #expect(addresses() == before)
    #expect(touched(since: revision) == [9.hashValue])
  }

  @Test("a version that was changed after another was made of it is not taken for that one's origin")
  mutating func siblings() {
    var first = rows
    rows[id: 1]?.value = 1
    first[id: 2]?.value = 2  // in the revision that the other one was made of, which nobody else has
    let seen = first.revision
    #expect(touched(since: seen) == nil)
  }

  @Test("what is remembered is bounded, also if nobody asks") mutating func bound() {
    let first = rows.revision
    for round in 0..<3 {
      for id in 0..<1000 { rows[id: id]?.value = round }
    }
    #expect(touched(since: first) == nil)
    let second = rows.revision
    rows.mutateEach { $0.value += 1 }
    #expect(touched(since: second) == nil)
  }

  @Test("a hash that was touched before another is listed with it") mutating func severalHashes() {
    let first = rows.revision
    for id in [3, 4, 3, 5] { rows[id: id]?.value += 1 }
    #expect(touched(since: first) == Set([3, 4, 5].map(\.hashValue)))
  }

  @Test("each kind of change alone is listed", arguments: 0..<6)
  mutating func eachKind(kind: Int) {
    rows[id: 9]?.value += 1
    let first = rows.revision
    switch kind {
    case 0: rows.remove(id: 5)
    case 1: rows.remove(at: 5)
    case 2: rows[id: 5] = nil
    case 3: rows.updateOrAppend(Row(id: 5, value: 3))
    case 4: rows.mutate(id: 5) { $0.value = 3 }
    default: rows.move(id: 5, to: 0)
    }
    #expect(touched(since: first) == [5.hashValue])
    let second = rows.revision
    rows.insert(Row(id: 2000), at: 3)
    #expect(touched(since: second) == [2000.hashValue])
  }
}
