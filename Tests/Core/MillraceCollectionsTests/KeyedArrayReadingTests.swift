import Foundation
import MillraceCollections
import TestSupport
import Testing

/// A read-only operation on two versions of a collection.
private struct Reading: Sendable, CustomTestStringConvertible {
  typealias Rows = KeyedArray<KeyedRow>

  let testDescription: String
  let read: @Sendable (_ old: Rows, _ new: Rows) -> Void

  init(_ name: String, _ read: @escaping @Sendable (_ old: Rows, _ new: Rows) -> Void) {
    testDescription = name
    self.read = read
  }

  static let all = [
    Reading("==") { #expect(($0 == $1) == ($0.count == $1.count)) },
    Reading("hash") { #expect(($0.hashValue == $1.hashValue) == ($0.count == $1.count)) },
    Reading("isOrderEqual") { #expect($0.isOrderEqual(to: $1) == ($0.count == $1.count)) },
    Reading("forEachChange") { old, new in
      new.forEachChange(since: old) { _ in }
      old.forEachChange(since: new) { _ in }
    },
    Reading("forEachPossibleChange") { old, new in new.forEachPossibleChange(since: old) { _ in } },
    Reading("iteration") { old, new in
      #expect(old.reduce(0) { $0 + $1.value } == 0)
      for row in new { #expect(row.value == 0) }
    },
    Reading("positions") { old, new in
      for position in old.indices { _ = old[position] }
      #expect(new.first == old.first && new.reversed().count == new.count)
    },
    Reading("lookup") { old, new in
      for id in 0..<old.count {
        let id = KeyedRow.ID(id)
        #expect(old[id: id] == new[id: id])
        #expect(old.contains(id: id) && old.index(id: id) != nil && new.index(id: id) != nil)
        #expect(new.withElement(id: id) { $0.pointee.value } == 0)
      }
    },
    Reading("lookup by hash") { old, new in
      for id in 0..<old.count {
        let hash = KeyedRow.ID(id).hashValue
        for rows in [old, new] {
          #expect(rows.onlyElement(hash: hash)?.pointee.value == 0)
          rows.forEachElement(hash: hash) { #expect($0.pointee.value == 0) }
        }
      }
      new.forEachElement { element, _ in #expect(element.pointee.value == 0) }
    },
    Reading("ids") { #expect($1.ids.starts(with: $0.ids)) },
    Reading("revision") { old, new in
      guard let before = old.revision else { return }
      _ = new.revision?.forEachHashTouched(since: before) { _ in }
    },
    Reading("encoding") { old, new in
      for rows in [old, new] {
        let data = try? JSONEncoder().encode(rows)
        #expect((try? data.map { try JSONDecoder().decode(Rows.self, from: $0) }) == rows)
      }
    },
    Reading("printing") { old, new in
      #expect(!"\(old)".isEmpty && !String(reflecting: new).isEmpty)
      #expect(Mirror(reflecting: new).children.count == new.count)
    },
    Reading("changing copies") { old, new in
      var (mine, other) = (old, new)
      for id in 0..<old.count { mine[id: KeyedRow.ID(id)]?.value = 1 }
      other.mutateEach { $0.value = 1 }
      mine.reverse()
      other.sort { $0.id.number > $1.id.number }
      other.remove(at: 0)
      #expect(mine.allSatisfy { $0.value == 1 } && other.allSatisfy { $0.value == 1 })
    },
  ]
}

/// ThreadSanitizer reports these tests if an operation that reads writes to what versions share.
@Suite("Keyed array, read on two threads")
struct KeyedArrayReadingTests {
  private static let rows = KeyedArray(uniqueElements: (0..<300).map { KeyedRow(KeyedRow.ID($0)) })

  /// Another version whose elements are equal, some in memory of their own.
  private static var equal: KeyedArray<KeyedRow> {
    var other = rows
    for id in stride(from: 0, to: 300, by: 2) { other[id: KeyedRow.ID(id)]?.value = 0 }
    return other
  }

  enum Versions: CaseIterable, Sendable { case equal, longer, same, unrelated }

  @Test(
    "two threads read two versions, equal, longer by one, the same, or with nothing in common",
    arguments: Reading.all, Versions.allCases)
  fileprivate func versions(reading: Reading, versions: Versions) async {
    let old = Self.rows
    var new = old
    switch versions {
    case .equal: new = Self.equal
    case .longer:
      new = Self.equal
      new.append(KeyedRow(300))
    case .same: break
    case .unrelated: new = KeyedArray(uniqueElements: old)
    }
    await onThreads(2) { [new] _ in reading.read(old, new) }
  }
}
