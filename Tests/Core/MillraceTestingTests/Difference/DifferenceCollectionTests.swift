import Millrace
import MillraceTesting
import TestSupport
import Testing

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var title = "a"
}

private struct Plain: Sendable { var value: Int }

@Suite("Difference of collections") struct DifferenceCollectionTests {
  private func rows(_ ids: Int...) -> [Row] { ids.map { Row(id: $0) } }

  @Test("elements with identity are added, removed, moved and changed by id") func identified() {
    var changed = rows(4, 1, 2, 5)
    changed[1].title = "b"
    #expect(
      Difference(from: rows(1, 2, 3, 4), to: changed).lines == [
        #"[id: 3]: removed Row(id: 3, title: "a")"#, "[id: 4]: moved from 3 to 0",
        #"[id: 1].title: "a" → "b""#, #"[id: 5]: added at 3: Row(id: 5, title: "a")"#,
      ])
    #expect(
      Difference(expected: rows(1, 2, 3, 4), actual: changed).lines == [
        #"[id: 3]: missing Row(id: 3, title: "a")"#, "[id: 4]: expected at 3, is at 0",
        #"[id: 1].title: expected "a", is "b""#, #"[id: 5]: unexpected at 3: Row(id: 5, title: "a")"#,
      ])
  }

  @Test("as few elements as possible count as moved") func moved() {
    #expect(
      Difference(from: rows(1, 2, 3, 4, 5), to: rows(2, 3, 4, 5, 1)).lines == ["[id: 1]: moved from 0 to 4"])
    #expect(Difference(from: rows(1, 2, 3), to: rows(3, 2, 1)).count == 2)
    #expect(
      Difference(from: rows(1, 2, 3), to: rows(2, 3)).lines == [#"[id: 1]: removed Row(id: 1, title: "a")"#])
  }

  @Test("a keyed collection is compared by id") func keyed() {
    let old = KeyedArray(uniqueElements: rows(1, 2))
    var new = old
    new[id: 2]?.title = "b"
    new.append(Row(id: 3))
    #expect(
      Difference(from: old, to: new).lines == [
        #"[id: 2].title: "a" → "b""#, #"[id: 3]: added at 2: Row(id: 3, title: "a")"#,
      ])
  }

  @Test("elements of which two have one id are compared by position") func sameIDs() {
    #expect(Difference(from: rows(1, 1), to: rows(1, 1, 1)).lines == [#"[2]: added Row(id: 1, title: "a")"#])
  }

  @Test("other elements are inserted, removed and changed in place") func ordered() {
    #expect(Difference(from: Array("abcd"), to: Array("axcd")).lines == [#"[1]: "b" → "x""#])
    #expect(
      Difference(from: Array("abcd"), to: Array("bcde")).lines == [#"[0]: removed "a""#, #"[3]: added "e""#])
    #expect(
      Difference(expected: Array("abcd"), actual: Array("bcde")).lines == [
        #"[0]: missing "a""#, #"[3]: unexpected "e""#,
      ])
    #expect(Difference(from: [Int](), to: [1]).lines == ["[0]: added 1"])
  }

  @Test("elements without == are compared by reflection") func withoutEquality() {
    let old = (0..<4).map { Plain(value: $0) }
    #expect(Difference(from: old, to: old).isEmpty)
    #expect(Difference(from: old, to: Array(old.dropFirst())).lines == ["[0]: removed Plain(value: 0)"])
    #expect(
      Difference(from: old, to: old.map { Plain(value: $0.value == 2 ? 7 : $0.value) }).lines == [
        "[2].value: 2 → 7"
      ])
  }

  @Test("arrays in arrays are compared in proportion to their size") func trees() {
    struct Tree {
      var value: Int
      var branches: [Tree] = []
    }
    func tree(_ leaf: Int) -> Tree { (0..<40).reduce(Tree(value: leaf)) { Tree(value: $1, branches: [$0]) } }
    let path = String(repeating: "branches[0].", count: 40)
    #expect(Difference(from: tree(1), to: tree(2)).lines == ["\(path)value: 1 → 2"])
    struct EquatableTree: Equatable {
      var value: Double
      var branches: [EquatableTree] = []
    }
    func equatable(_ leaf: Double) -> EquatableTree {
      (0..<40).reduce(EquatableTree(value: leaf)) { EquatableTree(value: Double($1), branches: [$0]) }
    }
    #expect(Difference(from: equatable(1), to: equatable(2)).lines == ["\(path)value: 1.0 → 2.0"])
    #expect(Difference(from: equatable(.nan), to: equatable(.nan)).isEmpty)
  }

  @Test("dictionaries are compared by key") func dictionaries() {
    let old = ["a": 1, "b": 2, "c": 3]
    #expect(
      Difference(from: old, to: ["a": 1, "b": 5, "d": 4]).lines == [
        #"["b"]: 2 → 5"#, #"["c"]: removed 3"#, #"["d"]: added 4"#,
      ])
    #expect(
      Difference(from: [10: "x", 9: "y"], to: [:]).lines == [#"[9]: removed "y""#, #"[10]: removed "x""#])
    #expect(Difference(from: [1: Optional<Int>.none], to: [1: 2]).lines == ["[1]: nil → 2"])
    #expect(Difference(from: [1: Plain(value: 1)], to: [1: Plain(value: 2)]).lines == ["[1].value: 1 → 2"])
  }

  @Test("sets are compared by membership, or by id") func sets() {
    #expect(Difference(from: ["a", "b"] as Set, to: ["b", "c"]).lines == [#"removed "a""#, #"added "c""#])
    #expect(Difference(expected: ["a"] as Set, actual: ["c"]).lines == [#"missing "a""#, #"unexpected "c""#])
    struct Tab: Hashable, Identifiable {
      let id: Int
      var isOpen = false
    }
    #expect(
      Difference(
        from: [Tab(id: 1), Tab(id: 2)] as Set, to: [Tab(id: 1), Tab(id: 2, isOpen: true), Tab(id: 3)]
      ).lines
        == ["[id: 2].isOpen: false → true", "[id: 3]: added Tab(id: 3, isOpen: false)"])
  }

  @Test("of very many rows, one that differs is found") func many() {
    let count = TestSize.count(20_000, full: 100_000)
    var rows = (0..<count).map { Row(id: $0) }
    let old = rows
    rows[7_000].title = "b"
    #expect(Difference(from: old, to: rows).lines == [#"[id: 7000].title: "a" → "b""#])
    #expect(
      Difference(from: KeyedArray(uniqueElements: old), to: KeyedArray(uniqueElements: rows)).count == 1)
    let numbers = Array(0..<count)
    #expect(
      Difference(from: numbers, to: [-1] + numbers.dropLast()).lines == [
        "[0]: added -1", "[\(count - 1)]: removed \(count - 1)",
      ])
    #expect(Difference(from: numbers, to: numbers.map { -1 - $0 }).count == count)
  }
}
