import Testing

@testable import MillraceCollections

/// Every operation at every position, for the sizes at which the tree has a new shape.
@Suite("Keyed array, at every position of every shape")
struct KeyedArrayLayoutTests {
  static let sizes = Array(0...4) + [8, 9, 15, 16, 17, 32, 33, 255, 256, 257, 272, 273]

  private func make(_ size: Int) -> (KeyedArray<KeyedRow>, [KeyedRow]) {
    let rows = (0..<size).map { KeyedRow(KeyedRow.ID($0), $0) }
    return (KeyedArray(uniqueElements: rows), rows)
  }

  private func check(_ elements: KeyedArray<KeyedRow>, _ model: [KeyedRow]) {
    #expect(elements.brokenInvariants() == [])
    #expect(Array(elements) == model)
  }

  @Test("inserting", arguments: sizes) func insert(size: Int) {
    let (elements, model) = make(size)
    for position in stride(from: 0, through: size, by: size > 40 ? 15 : 1) {
      var (changed, expected) = (elements, model)
      changed.insert(KeyedRow(-1), at: position)
      expected.insert(KeyedRow(-1), at: position)
      check(changed, expected)
    }
    check(elements, model)
  }

  @Test("removing", arguments: sizes) func remove(size: Int) {
    let (elements, model) = make(size)
    for position in stride(from: 0, to: size, by: size > 40 ? 15 : 1) {
      var (changed, expected) = (elements, model)
      let removed = changed.remove(id: model[position].id)
      #expect(removed == expected.remove(at: position))
      check(changed, expected)
    }
    check(elements, model)
  }

  @Test("removing all but one, from either end", arguments: sizes) func removeMany(size: Int) {
    let (elements, model) = make(size)
    for kept in stride(from: 0, to: size, by: size > 40 ? 60 : 1) {
      var changed = elements
      for position in (kept + 1..<max(size, kept + 1)).reversed() { changed.remove(at: position) }
      for _ in 0..<kept { changed.remove(at: 0) }
      check(changed, [model[kept]])
      changed.removeAll { _ in true }
      check(changed, [])
      #expect(changed.isEmpty)
    }
  }

  @Test(
    "the invariants hold after each of many removals, from either end and from the middle", arguments: 0..<3)
  func removeOneByOne(end: Int) {
    var (elements, model) = make(300)
    while !model.isEmpty {
      let position = [0, model.count / 2, model.count - 1][end]
      elements.remove(at: position)
      model.remove(at: position)
      check(elements, model)
    }
  }

  @Test("moving", arguments: [1, 2, 3, 17, 33]) func move(size: Int) {
    let (elements, model) = make(size)
    for source in 0..<size {
      for target in 0..<size {
        var (changed, expected) = (elements, model)
        changed.move(id: model[source].id, to: target)
        expected.insert(expected.remove(at: source), at: target)
        check(changed, expected)
        #expect(changed.isOrderEqual(to: elements) == (source == target))
        changed.forEachPossibleChange(since: elements) { _ in Issue.record("a move is no change") }
      }
    }
  }

  @Test("appending one by one, and in front of all one by one", arguments: [600]) func grow(size: Int) {
    var (back, front) = (KeyedArray<KeyedRow>(), KeyedArray<KeyedRow>())
    for number in 0..<size {
      back.append(KeyedRow(KeyedRow.ID(number)))
      front.insert(KeyedRow(KeyedRow.ID(number)), at: 0)
    }
    check(back, (0..<size).map { KeyedRow(KeyedRow.ID($0)) })
    check(front, (0..<size).reversed().map { KeyedRow(KeyedRow.ID($0)) })
  }

  @Test("appending one by one leaves full leaves") func fullLeaves() {
    var elements = KeyedArray<KeyedRow>()
    for number in 0..<600 { elements.append(KeyedRow(KeyedRow.ID(number))) }
    var counts: [Int] = []
    var position = 0
    while let (leaf, _) = elements.order.leaf(containing: position) {
      counts.append(leaf.slotCount)
      position += leaf.slotCount
    }
    #expect(counts == Array(repeating: OrderNode.maximumSlots, count: 37) + [8])
  }
}
