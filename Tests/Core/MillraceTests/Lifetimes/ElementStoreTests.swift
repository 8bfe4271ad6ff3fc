import Millrace
import MillraceTesting
import Testing

@Suite("Stores of elements that go", .timeLimit(.minutes(10)))
struct ElementStoreTests {
  private let row = Late<PieceStore>()
  private let seen = Recorder<Int>()

  private func makeStore(isFirst: Bool) -> CornerStore {
    let store = CornerStore(Corner(rows: [Piece(id: 1, value: 7)]), on: .immediate)
    let connectPart = { [row, seen] in
      _ = store.connectPart { _ in if let value = row.value?.state.value { seen.append(value) } }
    }
    if isFirst { connectPart() }
    store.connectRows { [row] _, element in row.value = element }
    if !isFirst { connectPart() }
    return store
  }

  @Test(
    "L2: an element's store has its last state, in a closure of the very turn that removes it",
    arguments: [false, true], [false, true])
  func inClosure(isFirst: Bool, isChanged: Bool) {
    let store = makeStore(isFirst: isFirst)
    store.change { corner in
      if isChanged { corner.rows[id: 1]?.value = 8 }
      corner.rows = []
      corner.part = Piece(id: 1)
    }
    #expect(seen.count == 1)
    #expect(seen.values == row.value.map { [$0.state.value] })
    #expect(isChanged || seen.values == [7])
  }

  @Test("L2: a part's store has the last state that it had, in a closure of the very turn that ends the part")
  func partInClosure() {
    let store = CornerStore(Corner(part: Piece(id: 1, value: 7)), on: .immediate)
    store.connectRows { [row, seen] _, _ in if let value = row.value?.state.value { seen.append(value) } }
    store.connectPart { [row] part in row.value = part }
    store.change { corner in
      corner.part = nil
      corner.rows = [Piece(id: 1)]
    }
    #expect(seen.values == [7])
  }

  @Test("L1: an element's store has a state though the slice above it compares equal without the collection")
  func slicedAway() async {
    struct Blind: Equatable, Sendable {
      var rows = KeyedArray<Piece>()
      static func == (left: Self, right: Self) -> Bool { true }
    }
    struct Root: Sendable { var blind = Blind(rows: [Piece(id: 1, value: 7)]) }
    let store = Store(initialState: Root(), on: .immediate) { (root: inout Root, ids: [Int]) in
      root.blind.rows = KeyedArray(uniqueElements: ids.map { Piece(id: $0) })
    }
    let scope = store.scope(\.blind)
    scope.connectEach(\.rows, action: unchanged) { [seen] (_: Int, element: Store<Piece, [Int]>) in
      seen.append(element.state.value)
    }
    let kept = Late<Store<Piece, [Int]>>()
    scope.connectEach(\.rows, action: unchanged) { (_: Int, element: Store<Piece, [Int]>) in
      kept.value = element
    }
    store.dispatch([])
    #expect(kept.value?.state.value == 7)
    #expect(seen.values == [7])
  }

  @Test(
    "R4: the action of an element that removes it is told to its store's actions()", arguments: [1, 2, 3])
  func lastAction(number: Int) async {
    let store = CornerStore(Corner(rows: Corner.rows(0..<3)), on: .immediate)
    let rows = Recorder<PieceStore>()
    store.connectRows { _, element in rows.append(element) }
    guard let element = rows.values.first(where: { $0.state.id == number - 1 }) else {
      Issue.record("there is no element")
      return
    }
    let actions = element.actions().makeAsyncIterator()
    element.dispatch(Change { $0.log.append("kept") })
    element.dispatch(Change { $0.rows.remove(id: number - 1) })
    element.dispatch(Change { $0.log.append("fenced") })
    await store.shutdown()
    var reported = 0
    while await actions.next() != nil { reported += 1 }
    #expect(reported == 2)
    #expect(store.state.log == ["kept"])
  }
}
