import MillraceTesting
import Testing

@testable import Millrace

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var value = 0
}

/// All ids of a remainder have one hash.
private struct Coarse: Hashable, Sendable {
  let number: Int
  func hash(into hasher: inout Hasher) { hasher.combine(number % 7) }
}

private struct CoarseRow: Identifiable, Equatable, Sendable {
  let id: Coarse
  var value = 0
}

private enum CoarseAction: Sendable {
  case set([Int: Int])
  case update(Int, Int?)
  case save
  case restore(Int)
}

private struct CoarseTable: Equatable, Sendable {
  var rows = KeyedArray<CoarseRow>()
  var saved: [KeyedArray<CoarseRow>] = []
}

@Suite("What a keyed collection remembers of its last changes")
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
    rows.update(Row(id: 6, value: 1))
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
      let item = rows.slot(of: 9)?.pointee.object
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

  @Test("elements begin, change and end rightly whatever becomes of the collection", arguments: 0..<8)
  func model(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store<CoarseTable, CoarseAction>(initialState: CoarseTable(), on: .immediate) {
      state, action in
      switch action {
      case .set(let rows):
        state.rows = KeyedArray(
          uniqueElements: rows.map { CoarseRow(id: Coarse(number: $0), value: $1) })
      case .update(let id, let value):
        let id = Coarse(number: id)
        state.rows[id: id] = value.map { CoarseRow(id: id, value: $0) }
      case .save: state.saved.append(state.rows)
      case .restore(let index):
        if state.saved.indices.contains(index) { state.rows = state.saved[index] }
      }
    }
    let alive = Recorder<(id: Coarse, row: Store<CoarseRow, Never>)>()
    @Sendable func action(_: Coarse, _: Never) -> CoarseAction {}
    store.connectEach(\.rows, action: action) { id, row in alive.append((id, row)) }
    for _ in 0..<400 {
      let before = store.state.rows
      let count = alive.count
      let actions: [CoarseAction] = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let id = Int.random(in: 0..<20, using: &random)
        return switch Int.random(in: 0..<20, using: &random) {
        case 0: .set([id: 1, id + 1: 2])
        case 1: .save
        case 2: .restore(id)
        case 3...8: .update(id, nil)
        default: .update(id, Int.random(in: 0..<3, using: &random))
        }
      }
      store.dispatch(batch: actions)
      let rows = store.state.rows
      let begun = Set(alive.values.dropFirst(count).map(\.id))
      #expect(begun == Set(rows.ids).subtracting(before.ids))
      var latest: [Coarse: Store<CoarseRow, Never>] = [:]
      for (id, row) in alive.values { latest[id] = row }
      for row in rows { #expect(latest[row.id]?.state == row) }
      for row in before where !rows.contains(id: row.id) { #expect(latest[row.id]?.state == row) }
    }
  }
}
