import TestSupport
import Testing

@testable import MillraceCollections

/// A collection held against a plain array, with the versions of both that somebody holds.
private struct Pair {
  var elements = KeyedArray<KeyedRow>()
  var model: [KeyedRow] = []
  var held: [(elements: KeyedArray<KeyedRow>, model: [KeyedRow])] = []
  var random: SeededGenerator
  let ids: Int
  let hashes: Int
  var nextValue = 0

  init(seed: UInt64, ids: Int, hashes: Int) {
    random = SeededGenerator(seed: seed)
    self.ids = ids
    self.hashes = hashes
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &random) }

  mutating func row() -> KeyedRow {
    nextValue += 1
    return KeyedRow(KeyedRow.ID(below(ids), hashes: hashes), nextValue)
  }

  func modelIndex(_ id: KeyedRow.ID) -> Int? { model.firstIndex { $0.id == id } }

  /// Does one operation to both, and checks what it returns.
  mutating func change(_ operation: Int) {
    let row = row()
    let there = modelIndex(row.id)
    switch operation {
    case 0, 1:
      #expect(elements.append(row) == (there == nil))
      if there == nil { model.append(row) }
    case 2, 3:
      let position = below(model.count + 1)
      #expect(elements.insert(row, at: position) == (there == nil))
      if there == nil { model.insert(row, at: position) }
    case 4:
      #expect(elements.updateOrAppend(row) == there.map { model[$0] })
      if let there { model[there] = row } else { model.append(row) }
    case 5, 6:
      #expect(elements.remove(id: row.id) == there.map { model[$0] })
      if let there { model.remove(at: there) }
    case 7:
      elements[id: row.id]?.value += 1
      if let there { model[there].value += 1 }
    case 8:
      elements[id: row.id] = row
      if let there { model[there] = row } else { model.append(row) }
    case 9:
      elements[id: row.id] = nil
      if let there { model.remove(at: there) }
    case 10:
      #expect(
        elements.mutate(id: row.id) {
          $0.value += 2
          return $0.value
        } == there.map { model[$0].value + 2 })
      if let there { model[there].value += 2 }
    case 11, 12:
      guard !model.isEmpty else { return }
      let position = below(model.count)
      #expect(elements.move(id: row.id, to: position) == (there != nil))
      if let there { model.insert(model.remove(at: there), at: position) }
    case 13:
      guard !model.isEmpty else { return }
      let position = below(model.count)
      #expect(elements.remove(at: position) == model.remove(at: position))
    case 14: changeMany(below(7))
    default: held.append((elements, model))
    }
  }

  private mutating func changeMany(_ operation: Int) {
    let modulus = 2 + below(5)
    switch operation {
    case 0:
      elements.removeAll { $0.value % modulus == 0 }
      model.removeAll { $0.value % modulus == 0 }
    case 1:
      elements.mutateEach { $0.value += 1 }
      for index in model.indices { model[index].value += 1 }
    case 2:
      elements.sort { $0.value % modulus < $1.value % modulus }
      model.sort { $0.value % modulus < $1.value % modulus }
    case 3:
      elements.reverse()
      model.reverse()
    case 4, 5:
      let offsets = model.indices.filter { _ in below(modulus) == 0 }
      let moved = offsets.map { model[$0] }
      let destination = below(model.count + 1)
      elements.move(fromOffsets: offsets, toOffset: destination)
      let target = destination - offsets.count { $0 < destination }
      for offset in offsets.reversed() { model.remove(at: offset) }
      model.insert(contentsOf: moved, at: target)
    default:
      let offsets = model.indices.filter { _ in below(modulus) == 0 }
      elements.remove(atOffsets: offsets)
      for offset in offsets.reversed() { model.remove(at: offset) }
    }
  }

  /// Checks that both are the same, as seen through every way of looking.
  func check() {
    #expect(Array(elements) == model)
    #expect(elements.count == model.count)
    #expect(elements.ids == model.map(\.id))
    #expect(model.indices.map { elements[$0] } == model)
    #expect(model.map { elements[id: $0.id] } == model)
    #expect(model.map { elements.withElement(id: $0.id) { $0.pointee } } == model)
    #expect(model.map { elements.index(id: $0.id) } == Array(model.indices))
    let found = (0..<ids).map { KeyedRow.ID($0, hashes: hashes) }.filter { elements.contains(id: $0) }
    #expect(found == model.map(\.id).sorted { $0.number < $1.number })
  }

  /// Checks that held versions are as they were, and what differs from them, and from one made anew.
  func checkHeld() {
    for version in held + [(KeyedArray(uniqueElements: model.reversed()), model.reversed())] {
      #expect(version.elements.brokenInvariants() == [])
      #expect(Array(version.elements) == version.model)
      #expect((version.elements == elements) == (version.model == model))
      #expect(version.elements.isOrderEqual(to: elements) == (version.model.map(\.id) == model.map(\.id)))
      #expect(changes(version.elements, elements) == modelChanges(version.model, model))
      #expect(changes(elements, version.elements) == modelChanges(model, version.model))
    }
  }

  private func changes(
    _ old: KeyedArray<KeyedRow>, _ new: KeyedArray<KeyedRow>
  ) -> [KeyedRow.ID: KeyedArray<KeyedRow>.Change] {
    var result: [KeyedRow.ID: KeyedArray<KeyedRow>.Change] = [:]
    new.forEachChange(since: old) { change in
      let id =
        switch change {
        case .inserted(let row), .removed(let row), .updated(_, let row): row.id
        }
      #expect(result.updateValue(change, forKey: id) == nil, "\(id) is reported twice")
    }
    return result
  }

  private func modelChanges(
    _ old: [KeyedRow], _ new: [KeyedRow]
  ) -> [KeyedRow.ID: KeyedArray<KeyedRow>.Change] {
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
    let after = Dictionary(uniqueKeysWithValues: new.map { ($0.id, $0) })
    var result: [KeyedRow.ID: KeyedArray<KeyedRow>.Change] = [:]
    for (id, row) in before {
      if let newRow = after[id] {
        if newRow != row { result[id] = .updated(from: row, to: newRow) }
      } else {
        result[id] = .removed(row)
      }
    }
    for (id, row) in after where before[id] == nil { result[id] = .inserted(row) }
    return result
  }
}

@Suite("Keyed array, against a plain array")
struct KeyedArrayModelTests {
  @Test(
    "every operation does what it does to a plain array, and held versions stay as they were",
    arguments: [(8, 0), (8, 1), (40, 0), (40, 3), (150, 0), (150, 7)])
  func randomOperations(ids: Int, hashes: Int) {
    for seed in 0..<UInt64(ids > 100 ? 3 : TestSize.count(10, full: 60)) {
      var pair = Pair(seed: seed, ids: ids, hashes: hashes)
      for step in 0..<60 {
        pair.change(pair.below(17))
        let broken = pair.elements.brokenInvariants()
        if !broken.isEmpty { Issue.record("seed \(seed), step \(step): \(broken)") }
        if step % 6 == 0 { pair.check() }
        if pair.held.count > 3 { pair.held.remove(at: pair.below(4)) }
      }
      pair.check()
      pair.checkHeld()
    }
  }
}
