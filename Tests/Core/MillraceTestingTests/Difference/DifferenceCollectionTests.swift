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
    expectChange(
      rows(1, 2, 3, 4), changed, #"[id: 3]: removed Row(id: 3, title: "a")"#, "[id: 4]: moved from 3 to 0",
      #"[id: 1].title: "a" → "b""#, #"[id: 5]: added at 3: Row(id: 5, title: "a")"#)
    expectDeviation(
      rows(1, 2, 3, 4), changed, #"[id: 3]: missing Row(id: 3, title: "a")"#,
      "[id: 4]: expected at 3, is at 0", #"[id: 1].title: expected "a", is "b""#,
      #"[id: 5]: unexpected at 3: Row(id: 5, title: "a")"#)
  }

  @Test("as few elements as possible count as moved") func moved() {
    expectChange(rows(1, 2, 3, 4, 5), rows(2, 3, 4, 5, 1), "[id: 1]: moved from 0 to 4")
    #expect(Difference(from: rows(1, 2, 3), to: rows(3, 2, 1)).count == 2)
    expectChange(rows(1, 2, 3), rows(2, 3), #"[id: 1]: removed Row(id: 1, title: "a")"#)
  }

  @Test("a keyed collection is compared by id") func keyed() {
    let old = KeyedArray(uniqueElements: rows(1, 2))
    var new = old
    new[id: 2]?.title = "b"
    new.append(Row(id: 3))
    expectChange(old, new, #"[id: 2].title: "a" → "b""#, #"[id: 3]: added at 2: Row(id: 3, title: "a")"#)
  }

  @Test("elements of which two have one id are compared by position") func sameIDs() {
    expectChange(rows(1, 1), rows(1, 1, 1), #"[2]: added Row(id: 1, title: "a")"#)
  }

  @Test("other elements are inserted, removed and changed in place") func ordered() {
    expectChange(Array("abcd"), Array("axcd"), #"[1]: "b" → "x""#)
    expectChange(Array("abcd"), Array("bcde"), #"[0]: removed "a""#, #"[3]: added "e""#)
    expectDeviation(Array("abcd"), Array("bcde"), #"[0]: missing "a""#, #"[3]: unexpected "e""#)
    expectChange([Int](), [1], "[0]: added 1")
  }

  @Test("elements without == are compared by reflection") func withoutEquality() {
    let old = (0..<4).map { Plain(value: $0) }
    expectChange(old, old)
    expectChange(old, Array(old.dropFirst()), "[0]: removed Plain(value: 0)")
    expectChange(old, old.map { Plain(value: $0.value == 2 ? 7 : $0.value) }, "[2].value: 2 → 7")
  }

  @Test("arrays in arrays are compared in proportion to their size") func trees() {
    struct Tree {
      var value: Int
      var branches: [Tree] = []
    }
    func tree(_ leaf: Int) -> Tree { (0..<40).reduce(Tree(value: leaf)) { Tree(value: $1, branches: [$0]) } }
    let path = String(repeating: "branches[0].", count: 40)
    expectChange(tree(1), tree(2), "\(path)value: 1 → 2")
    struct EquatableTree: Equatable {
      var value: Double
      var branches: [EquatableTree] = []
    }
    func equatable(_ leaf: Double) -> EquatableTree {
      (0..<40).reduce(EquatableTree(value: leaf)) { EquatableTree(value: Double($1), branches: [$0]) }
    }
    expectChange(equatable(1), equatable(2), "\(path)value: 1.0 → 2.0")
    expectChange(equatable(.nan), equatable(.nan))
  }

  @Test("dictionaries are compared by key") func dictionaries() {
    let old = ["a": 1, "b": 2, "c": 3]
    expectChange(old, ["a": 1, "b": 5, "d": 4], #"["b"]: 2 → 5"#, #"["c"]: removed 3"#, #"["d"]: added 4"#)
    expectChange([10: "x", 9: "y"], [:], #"[9]: removed "y""#, #"[10]: removed "x""#)
    expectChange([1: Optional<Int>.none], [1: 2], "[1]: nil → 2")
    expectChange([1: Plain(value: 1)], [1: Plain(value: 2)], "[1].value: 1 → 2")
  }

  @Test("sets are compared by membership, or by id") func sets() {
    expectChange(["a", "b"] as Set, ["b", "c"], #"removed "a""#, #"added "c""#)
    expectDeviation(["a"] as Set, ["c"], #"missing "a""#, #"unexpected "c""#)
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
    expectChange(old, rows, #"[id: 7000].title: "a" → "b""#)
    #expect(
      Difference(from: KeyedArray(uniqueElements: old), to: KeyedArray(uniqueElements: rows)).count == 1)
    let numbers = Array(0..<count)
    expectChange(numbers, [-1] + numbers.dropLast(), "[0]: added -1", "[\(count - 1)]: removed \(count - 1)")
    #expect(Difference(from: numbers, to: numbers.map { -1 - $0 }).count == count)
  }
}
