import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Lifetimes that begin where others watch", .timeLimit(.minutes(10)))
struct NeighbourBeginTests {
  private let store = CornerStore(on: .immediate)
  private let first = NumberEffect()
  private let second = NumberEffect()

  enum Lifetime: CaseIterable, Sendable { case part, predicate, element }

  @Test(
    "L2: an effect at a number is asked though a closure connects another to the number as it changes",
    arguments: Lifetime.allCases, [false, true])
  func effect(lifetime: Lifetime, isFirst: Bool) {
    if isFirst { store.connect(first, to: \.x) }
    let connect = { @Sendable [weak store, second] in _ = store?.connect(second, to: \.x) }
    switch lifetime {
    case .part: store.connectPart { _ in connect() }
    case .predicate: store.connect(while: \.isOpen) { _ in connect() }
    case .element: store.connectRows { _, _ in connect() }
    }
    if !isFirst { store.connect(first, to: \.x) }
    store.change { corner in
      (corner.x, corner.isOpen, corner.part) = (1, true, Piece(id: 1))
      corner.rows.append(Piece(id: 1))
    }
    #expect(first.asked.values == [0, 1])
    #expect(second.asked.values == [1])
    store.change { $0.x = 2 }
    #expect(first.asked.values == [0, 1, 2])
    #expect(second.asked.values == [1, 2])
  }

  @Test(
    "L2: a removed row's run is stopped though a closure connects to its table", arguments: [false, true])
  func rows(isFirst: Bool) async throws {
    let gate = Gate()
    let fates = Recorder<Delivery>()
    store.change { $0.table.rows = Corner.rows(1..<3) }
    let table = store.scope(\.table)
    let connectRows = {
      _ = table.connectEach(\.rows, action: unchanged) { (id: Int, row: PieceStore) in
        row.connect(
          PieceEffect { _, send in
            await gate.waitIgnoringCancellation()
            let fate = await send(.log("\(id)"))
            if id == 1 { fates.append(fate) }
          })
      }
    }
    if isFirst { connectRows() }
    store.connectPart { [weak store, second] _ in
      store?.scope(computed: \.x).connect(second)
      store?.connect(RecordingComponent<RowTable>(), to: \.table)
    }
    if !isFirst { connectRows() }
    try await gate.waiters(atLeast: 2)
    store.change { corner in
      corner.table.rows.remove(id: 1)
      corner.part = Piece(id: 1)
    }
    gate.open()
    #expect(try await fates.values(atLeast: 1) == [.fenced])
    await store.settled()
    #expect(store.state.log == ["2"])
  }

  @Test("L2: a component gets its last props though a closure connects another to the number as it changes")
  func component() async {
    let component = RecordingComponent<Int>()
    store.connectPart { [weak store] _ in store?.connect(RecordingComponent<Int>(), to: \.x) }
    store.connect(component, to: \.x)
    await store.settled()
    store.change { corner in
      corner.part = Piece(id: 1)
      corner.x = 1
    }
    await store.settled()
    #expect(component.received.values == [0, 1])
  }
}
