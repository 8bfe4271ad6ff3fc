import Testing

@testable import MillraceCollections

/// The labels by which items are found: that room is made if there is none left.
@Suite("Keyed array, labels")
struct KeyedArrayLabelsTests {
  /// A collection whose items have these labels.
  private func make(_ labels: [UInt64]) -> KeyedArray<KeyedRow> {
    var elements = KeyedArray(uniqueElements: labels.indices.map { KeyedRow(KeyedRow.ID($0)) })
    elements.rearrange(from: 0, elements.order.allSlots(), labels)
    return elements
  }

  @Test(
    "room is made wherever there is none",
    arguments: [
      (0..<40).map { 1000 + $0 },  // no gaps
      (0..<40).map { $0 },  // at the very start
      (0..<40).map { .max - 39 + $0 },  // at the very end
      [0, .max],
      [0, 1, .max - 1, .max],
      (0..<40).map { $0 < 20 ? $0 : .max - 39 + $0 },
    ] as [[UInt64]])
  func room(labels: [UInt64]) {
    let elements = make(labels)
    #expect(elements.brokenInvariants() == [])
    for position in stride(from: 0, through: labels.count, by: labels.count > 4 ? 10 : 1) {
      var (changed, model) = (elements, Array(elements))
      for number in 0..<80 {
        changed.insert(KeyedRow(KeyedRow.ID(-1 - number)), at: position)
        model.insert(KeyedRow(KeyedRow.ID(-1 - number)), at: position)
      }
      #expect(changed.brokenInvariants() == [])
      #expect(Array(changed) == model)
    }
  }

  @Test("inserting at one spot again and again moves few others") func hotSpot() {
    var elements = make([1 << 40, 1 << 50])
    var moved = 0
    for number in 2..<4_000 {
      let before = elements
      elements.insert(KeyedRow(KeyedRow.ID(number)), at: 1)
      if number % 50 != 0 { continue }
      before.order.root?.forEachItemSlot { slot in
        let id = slot.item(of: KeyedRow.self).id
        if elements.slot(of: id)!.label != slot.label { moved += 1 }
      }
    }
    #expect(elements.brokenInvariants() == [])
    #expect(elements.ids.map(\.number) == [0] + (2..<4_000).reversed() + [1])
    // 80 of the insertions were looked at.
    #expect(moved < 80 * 100)
  }
}
