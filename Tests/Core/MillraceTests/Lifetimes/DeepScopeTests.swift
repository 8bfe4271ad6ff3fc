import Millrace
import MillraceTesting
import TestSupport
import Testing

/// How far a scope is from the part to which it belongs makes no difference.
@Suite("Scopes of scopes of parts", .timeLimit(.minutes(10)))
struct DeepScopeTests {
  /// A scope of a scope of … of a store.
  private func scope<State: Equatable & Sendable>(
    _ depth: Int, of store: Store<State, Change>
  ) -> Store<State, Change> {
    (0..<depth).reduce(store) { store, _ in store.scope(\.self) }
  }

  @Test(
    "L1: what is sent through a scope of a scope of an ended part or element is fenced, however deep",
    arguments: Queue.allCases, [1, 2, 3, 4, 5, 8])
  func fenced(queue: Queue, depth: Int) async throws {
    let store = CornerStore(Corner(part: Piece(id: 1), rows: Corner.rows(0..<2)), on: queue)
    let (part, row) = (Late<PieceStore>(), Late<PieceStore>())
    store.connectPart { part.value = scope(depth, of: $0) }
    store.connectRows { id, store in if id == 1 { row.value = scope(depth, of: store) } }
    await store.settled()
    let stores = try [#require(part.value), #require(row.value)]
    for scope in stores { #expect(await scope.send(.log("in time")) == .reduced) }
    await store.send(
      Change {
        $0.part = nil
        $0.rows.remove(id: 1)
      })
    for scope in stores { #expect(await scope.send(.log("late")) == .fenced) }
    #expect(store.state.log == ["in time", "in time"])
    #expect(store.activity.fenced == 2)
  }

  @Test(
    "L1: runs beneath many scopes of one of 2,000 ended elements are fenced before these are torn down",
    arguments: [1, 4, 8])
  func fencedRuns(depth: Int) async throws {
    let count = 2_000
    let store = CornerStore(Corner(rows: Corner.rows(0..<count)), on: .serial)
    let (gate, fates) = (Gate(), Recorder<Delivery>())
    store.connectRows { _, row in
      scope(depth, of: row).connect(
        PieceEffect { _, send in
          await gate.waitIgnoringCancellation()
          fates.append(await send(.log("late")))
        })
    }
    try await gate.waiters(atLeast: count)
    store.change { $0.rows = [] }
    gate.open()
    #expect(Set(try await fates.values(atLeast: count)) == [.fenced])
    #expect(store.state.log == [])
    await store.settled()
  }

  @Test(
    "settled(), activity and actions() of a scope concern what is many scopes beneath it",
    arguments: [1, 2, 4])
  func concerned(depth: Int) async throws {
    let store = CornerStore(Corner(x: 1), on: .serial)
    let (gate, order) = (Gate(), Recorder<String>())
    let outer = store.scope(\.self)
    let actions = outer.actions()
    let inner = scope(depth, of: outer).scope(\.x)
    inner.connect(
      NumberEffect { _, send in
        await gate.waitIgnoringCancellation()
        await send(.log("sent"))
        order.append("ended")
      })
    try await gate.waiters(atLeast: 1)
    #expect(outer.activity.entries.count == 2)
    let settled = Task {
      await outer.settled()
      order.append("settled")
    }
    try await store.isAwaited(beforeAnyOf: order, opening: gate)
    await settled.value
    #expect(order.values == ["ended", "settled"])
    for await (_, state) in actions {
      #expect(state.log == ["sent"])
      break
    }
  }

  @Test("settled() of a scope waits for the mailbox, also many scopes beneath", arguments: [1, 2, 4])
  func queued(depth: Int) async throws {
    let hold = Hold()
    let store = CornerStore(initialState: Corner(), on: Hold.queue) { $1.apply(&$0) }
    store.dispatch(Change { _ in hold.stay() })
    try await hold.isHeld()
    let outer = store.scope(\.self)
    scope(depth, of: outer).dispatch(.log("sent"))
    let log = Task {
      await outer.settled()
      return store.state.log
    }
    hold.letGo()
    #expect(await log.value == ["sent"])
  }
}
