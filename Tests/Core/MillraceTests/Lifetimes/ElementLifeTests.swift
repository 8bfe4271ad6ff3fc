import Millrace
import MillraceTesting
import TestSupport
import Testing

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
  indirect case all([CoarseAction])
}

private struct CoarseTable: Equatable, Sendable {
  var rows = KeyedArray<CoarseRow>()
  var saved: [KeyedArray<CoarseRow>] = []
}

@Sendable private func reduceCoarse(_ state: inout CoarseTable, _ action: CoarseAction) {
  switch action {
  case .set(let rows):
    state.rows = KeyedArray(uniqueElements: rows.map { CoarseRow(id: Coarse(number: $0), value: $1) })
  case .update(let id, let value):
    let id = Coarse(number: id)
    state.rows[id: id] = value.map { CoarseRow(id: id, value: $0) }
  case .save: state.saved.append(state.rows)
  case .restore(let index):
    if state.saved.indices.contains(index) { state.rows = state.saved[index] }
  case .all(let actions): for action in actions { reduceCoarse(&state, action) }
  }
}

@Suite("The lives of the elements of a keyed collection", .timeLimit(.minutes(10)))
struct ElementLifeTests {
  @Test("elements begin, change and end rightly whatever becomes of the collection", arguments: 0..<8)
  func model(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = Store(initialState: CoarseTable(), on: .immediate, reduce: reduceCoarse)
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
      store.dispatch(.all(actions))
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
