import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Actions that are let go of after their reduction", .timeLimit(.minutes(10)))
struct ReleasedActionTests {
  private let reports = Recorder<String>()

  private func makeStore(on queue: Queue) -> Store<Int, Carrier> {
    let options = StoreOptions(diagnostics: .mistakes { [reports] in reports.append("\($0.kind)") })
    return Store(initialState: 0, on: queue.queue, options: options) { $0 += $1.number }
  }

  @Test("L4: an action's deinit dispatches and is not taken for a reducer", arguments: Queue.allCases)
  func dispatching(queue: Queue) async throws {
    let store = makeStore(on: queue)
    for _ in 0..<10 { store.dispatch(Carrier(1) { [weak store] in store?.dispatch(Carrier(100)) }) }
    // Not `settled()`: a store has settled once its actions are reduced, and lets go of them after that.
    #expect(try await inTime { await store.first { $0 >= 1_010 } } == 1_010)
    #expect(reports.values == [])
  }

  @Test(
    "L4: an action's deinit reads the state after its reduction, with effects connected or nothing",
    arguments: Queue.allCases, [false, true])
  func reading(queue: Queue, hasEffect: Bool) async throws {
    let store = makeStore(on: queue)
    let seen = Recorder<Int>()
    if hasEffect { store.connect(when: { $0 > 0 ? $0 : nil }, run: { (_: Int, _) in }) }
    for _ in 0..<10 {
      store.dispatch(Carrier(1) { [weak store] in if let store { seen.append(store.state) } })
    }
    // Not `settled()`: a store has settled once its actions are reduced, and lets go of them after that.
    #expect(try await inTime { try await seen.values(atLeast: 10) }.allSatisfy { $0 > 0 })
    #expect(seen.count == 10)
    #expect(reports.values == [])
  }

  /// An action that records, as it goes, whether that is within a turn.
  private func tattling(on store: Store<Int, Carrier>, _ areInTurn: Recorder<Bool>) -> Carrier {
    Carrier(1) { [weak store] in if let store { areInTurn.append(store.isInsideTurn) } }
  }

  @Test("L4: an action in the calls that a disconnected observer has not taken goes with no lock held")
  func inPendingCall() async throws {
    let store = makeStore(on: .immediate)
    let (isBusy, isFree, areInTurn) = (Gate(), Signal(), Recorder<Bool>())
    let observer = store.onAction { _, _ in
      isBusy.open()
      isFree.wait()
    }
    store.dispatch(Carrier(1))
    try await isBusy.wait()
    store.dispatch(tattling(on: store, areInTurn))
    #expect(areInTurn.count == 0)
    observer.disconnect()
    #expect(areInTurn.values == [false])
    isFree.give()
    await observer.finished()
  }

  @Test("L4: an action that a bounded sequence drops goes with no lock held")
  func dropped() {
    let store = makeStore(on: .immediate)
    let areInTurn = Recorder<Bool>()
    let actions = store.actions(buffering: .bufferingNewest(1))
    store.dispatch(tattling(on: store, areInTurn))
    #expect(areInTurn.count == 0)
    store.dispatch(Carrier(1))
    #expect(areInTurn.values == [false])
    withExtendedLifetime(actions) {}
  }
}
