import Testing

@testable import MillraceCollections

@Suite("Keyed array, what differs between versions")
struct KeyedArrayChangesTests {
  private let elements = KeyedArray(uniqueElements: (0..<20_000).map { KeyedRow(KeyedRow.ID($0)) })

  /// How many nodes are gone into to find the changes, to compare, and to compare the order.
  private func visits(
    _ old: KeyedArray<KeyedRow>, _ new: KeyedArray<KeyedRow>
  ) -> (changes: Int, isEqual: Int, isOrderEqual: Int) {
    var changes = OrderComparison(old: old.order, new: new.order)
    new.forEachPossibleChange(since: old, &changes) { _ in }
    var equal = OrderComparison(old: old.order, new: new.order)
    _ = KeyedArray<KeyedRow>.isEqual(&equal)
    var orderEqual = OrderComparison(old: old.order, new: new.order)
    _ = KeyedArray<KeyedRow>.isOrderEqual(&orderEqual)
    return (changes.visitedNodes, equal.visitedNodes, orderEqual.visitedNodes)
  }

  @Test("equal versions are compared without going into any node") func same() {
    #expect(visits(elements, elements) == (0, 0, 0))
  }

  @Test("one changed element is found along one path") func oneChange() {
    var changed = elements
    changed[id: 12_345]?.value = 1
    // Two trees of height 4.
    #expect(visits(elements, changed) == (8, 8, 8))
    // Put back as it was: other memory, but equal.
    changed[id: 12_345]?.value = 0
    #expect(visits(elements, changed) == (8, 8, 8))
    #expect(changed == elements)
    changed.forEachChange(since: elements) { Issue.record("\($0) is no change") }
  }

  @Test("the nodes gone into grow with the difference, wherever it is", arguments: [1, 10, 100])
  func proportional(count: Int) {
    let step = 20_000 / count
    var (inserted, removed, moved, updated) = (elements, elements, elements, elements)
    for number in 0..<count {
      inserted.insert(KeyedRow(KeyedRow.ID(100_000 + number)), at: number * step)
      removed.remove(id: KeyedRow.ID(number * step))
      moved.move(id: KeyedRow.ID(number * step), to: (number * step + 7_919) % 20_000)
      updated[id: KeyedRow.ID(number * step)]?.value = 1
    }
    for changed in [inserted, removed, updated] {
      #expect(visits(elements, changed).changes <= 14 * count)
      #expect(visits(changed, elements).changes <= 14 * count)
    }
    #expect(visits(elements, moved).changes <= 28 * count)
    #expect(visits(elements, updated).isEqual <= 14 * count)
    #expect(visits(elements, updated).isOrderEqual <= 14 * count)
    #expect(elements.isOrderEqual(to: updated))
    #expect(elements != updated)
  }

  @Test("what was inserted and removed again leaves little to compare") func undone() {
    var changed = elements
    for number in 0..<50 { changed.insert(KeyedRow(KeyedRow.ID(100_000 + number)), at: 10_000) }
    for number in 0..<50 { changed.remove(id: KeyedRow.ID(100_000 + number)) }
    #expect(changed == elements)
    #expect(visits(elements, changed).isEqual <= 60)
  }

  @Test("sorting what is sorted shares everything") func sorted() {
    var changed = elements
    changed.sort { $0.id.number < $1.id.number }
    #expect(visits(elements, changed) == (0, 0, 0))
  }
}
