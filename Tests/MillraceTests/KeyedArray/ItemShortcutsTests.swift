import Testing

@testable import Millrace

@Suite("Keyed array, elements that are changed often")
struct ItemShortcutsTests {
  typealias Rows = KeyedArray<KeyedRow>

  /// Rows that are all known, each with the value 1.
  private func changed(_ count: Int = 200) -> Rows {
    var rows = Rows(uniqueElements: (0..<count).map { KeyedRow(KeyedRow.ID($0), -1) })
    changeAll(&rows)
    changeAll(&rows)
    return rows
  }

  private func changeAll(_ rows: inout Rows) {
    for id in rows.ids { rows[id: id]?.value += 1 }
  }

  private func knows(_ rows: Rows, _ id: KeyedRow.ID) -> Bool {
    rows.order.knownItem(hash: id.hashValue) != nil
  }

  @Test("they are found without the tree, once many were changed") func known() {
    var rows = Rows(uniqueElements: (0..<200).map { KeyedRow(KeyedRow.ID($0)) })
    for id in 0..<63 { rows[id: KeyedRow.ID(id)]?.value += 1 }
    #expect(!knows(rows, 62))
    rows[id: 63]?.value += 1
    #expect(knows(rows, 63))
    // With all of its leaf.
    #expect(knows(rows, 48))
    #expect(!knows(rows, 64))
    rows[id: 48]?.value += 1
    #expect(rows[id: 48]?.value == 2)
    #expect(rows.brokenInvariants() == [])
  }

  @Test("a version that is held keeps its elements, and both go on") func heldVersion() {
    var rows = changed()
    let held = rows
    changeAll(&rows)
    #expect(!knows(rows, 0))
    #expect(knows(held, 0))
    #expect(held.allSatisfy { $0.value == 1 })
    #expect(rows.allSatisfy { $0.value == 2 })
    var other = held
    changeAll(&other)
    changeAll(&rows)
    #expect(held.allSatisfy { $0.value == 1 })
    #expect(other.allSatisfy { $0.value == 2 })
    #expect(rows.allSatisfy { $0.value == 3 })
  }

  @Test("what another version was made from does not change what both have") func divergedOrigin() {
    var origin = changed()
    var made = origin
    made[id: 0]?.value = 7  // has all else in common with its origin, whose root is its own again
    changeAll(&origin)
    #expect(made[id: 0]?.value == 7)
    #expect(made.dropFirst().allSatisfy { $0.value == 1 })
    #expect(origin.allSatisfy { $0.value == 2 })
    #expect(origin.brokenInvariants() == [])
    #expect(made.brokenInvariants() == [])
  }

  @Test("once the other version is gone, they are found so again") func otherIsGone() {
    var rows = changed()
    do {
      var other = rows
      other[id: 0]?.value = 7
      rows[id: 1]?.value = 7
      #expect(!knows(rows, 0))
    }
    changeAll(&rows)
    #expect(knows(rows, 199))
    #expect(rows.brokenInvariants() == [])
    // And from the side of the one that was made.
    var made = rows
    made[id: 0]?.value = 9
    rows = Rows()
    changeAll(&made)
    #expect(knows(made, 199))
    #expect(made.brokenInvariants() == [])
  }

  @Test("an iterator in use keeps the version that it goes over") func iterator() {
    var rows = changed()
    var iterator = rows.makeIterator()
    changeAll(&rows)
    while let row = iterator.next() { #expect(row.value == 1) }
    #expect(rows.allSatisfy { $0.value == 2 })
  }

  @Test("what is removed is not found, and what comes in its stead is") func removal() {
    var rows = changed()
    rows.remove(id: 5)
    rows[id: 6] = nil
    #expect(!knows(rows, 5))
    #expect(rows[id: 5] == nil)
    #expect(rows.mutate(id: 6) { $0.value } == nil)
    #expect(!rows.contains(id: 6))
    rows.append(KeyedRow(5, 50))
    rows[id: 6] = KeyedRow(6, 60)
    #expect(rows[id: 5]?.value == 50)
    changeAll(&rows)
    #expect(rows[id: 6]?.value == 61)
    #expect(rows.update(KeyedRow(7, 70)) == KeyedRow(7, 2))
    #expect(rows[id: 7] == KeyedRow(7, 70))
    #expect(rows.brokenInvariants() == [])
  }

  @Test("two ids of one hash are told apart") func equalHashes() {
    var rows = changed()
    let (one, other) = (KeyedRow.ID(500, hashes: 1000), KeyedRow.ID(1500, hashes: 1000))
    rows.append(KeyedRow(one))
    changeAll(&rows)
    #expect(knows(rows, one))
    #expect(rows[id: other] == nil)
    #expect(rows.mutate(id: other) { $0.value } == nil)
    rows.append(KeyedRow(other))
    #expect(!knows(rows, one))
    changeAll(&rows)
    changeAll(&rows)
    #expect(rows[id: one]?.value == 3)
    #expect(rows[id: other]?.value == 2)
    #expect(!knows(rows, one))
    #expect(rows.brokenInvariants() == [])
  }

  @Test("growing and shrinking by a level keeps what is known") func levels() {
    var rows = changed(256)
    for id in 256..<300 { rows.append(KeyedRow(KeyedRow.ID(id))) }
    #expect(knows(rows, 3))
    changeAll(&rows)
    for id in (10..<300).reversed() { rows.remove(id: KeyedRow.ID(id)) }
    #expect(knows(rows, 3))
    changeAll(&rows)
    #expect(rows.allSatisfy { $0.value == 3 })
    #expect(rows.brokenInvariants() == [])
  }

  @Test("a root may become a leaf that another version has, too") func sharedLeaf() {
    // Two full leaves, which are never made one.
    var rows = Rows(uniqueElements: (0..<32).map { KeyedRow(KeyedRow.ID($0)) })
    for _ in 0..<5 { changeAll(&rows) }
    #expect(knows(rows, 31))
    var other = rows
    for id in 0..<16 { other.remove(id: KeyedRow.ID(id)) }
    #expect(rows.brokenInvariants() == [])
    for _ in 0..<20 { changeAll(&other) }
    #expect(rows.allSatisfy { $0.value == 5 })
    #expect(other.allSatisfy { $0.value == 25 })
    #expect(other.brokenInvariants() == [])
  }

  @Test("versions made from each other, changed at random, are each as a plain array", arguments: 0..<20)
  func versions(seed: UInt64) {
    struct Version {
      var rows: Rows
      var model: [KeyedRow]
    }
    var random = SeededGenerator(seed: seed)
    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    let first = (0..<120).map { KeyedRow(KeyedRow.ID($0)) }
    var versions = [Version(rows: Rows(uniqueElements: first), model: first)]
    var nextID = 120
    for step in 0..<40 {
      let index = below(versions.count)
      // Mostly changes in place.
      for _ in 0..<below(150) {
        let position = below(versions[index].model.count)
        versions[index].model[position].value += 1
        versions[index].rows[id: versions[index].model[position].id]?.value += 1
      }
      switch below(9) {
      case 0, 1, 2: if versions.count < 4 { versions.append(versions[index]) }
      case 3, 4: if versions.count > 1 { versions.remove(at: below(versions.count)) }
      case 5:
        let removed = versions[index].model.remove(at: below(versions[index].model.count))
        versions[index].rows.remove(id: removed.id)
      case 6:
        let position = below(versions[index].model.count)
        versions[index].model.insert(KeyedRow(KeyedRow.ID(nextID)), at: position)
        versions[index].rows.insert(KeyedRow(KeyedRow.ID(nextID)), at: position)
        nextID += 1
      case 7:
        let id = versions[index].model[0].id
        versions[index].model.append(versions[index].model.removeFirst())
        versions[index].rows.move(id: id, to: versions[index].model.count - 1)
      default:
        for position in versions[index].model.indices { versions[index].model[position].value += 1 }
        versions[index].rows.mutateEach { $0.value += 1 }
      }
      for version in versions {
        #expect(Array(version.rows) == version.model, "seed \(seed), step \(step)")
        #expect(version.model.allSatisfy { version.rows[id: $0.id] == $0 }, "seed \(seed), step \(step)")
        #expect(version.rows.brokenInvariants() == [], "seed \(seed), step \(step)")
      }
    }
  }
}
