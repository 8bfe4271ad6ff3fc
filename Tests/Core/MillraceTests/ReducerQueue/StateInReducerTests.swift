// Tests whose process ends: Apple's mobile systems start no other.
#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Millrace
import MillraceTesting
import Testing

@Suite("The state, read inside a reducer", .timeLimit(.minutes(10)))
struct StateInReducerTests {
  private func expectTrap(_ result: ExitTest.Result?, _ message: String) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("Fatal error: \(message)"), "\(output)")
    #expect(output.contains("millrace: Millrace/Store.swift:"), "\(output)")
  }

  @Test("the trap names the store, and the type and case of the action")
  func named() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let handle = Recorder<BoardStore>()
      let store = BoardStore(initialState: Board(), on: .immediate, options: StoreOptions(name: "Office")) {
        Board.reduce(&$0, $1)
        if $1 == .add(2) { _ = handle.values[0].state }
      }
      handle.append(store)
      for action in [Board.Action.report("first"), .add(2)] { store.dispatch(action) }
    }
    expectTrap(
      result, "the state of Office was read inside its own reducer, which was reducing Board.Action.add")
  }

  @Test("the trap names the action of the store where a scope is read, in the turn of a failure")
  func scope() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let handle = Recorder<Store<Int, Board.Action>>()
      let store = BoardStore(initialState: Board(), on: .immediate) {
        Board.reduce(&$0, $1)
        if case .report = $1 { _ = handle.values[0].state }
      }
      handle.append(store.scope(\.count))
      store.connect(JobEffect(throwing: Mishap.self) { _, _ throws(Mishap) in throw Mishap() })
      await store.settled(after: .ask("job"))
    }
    expectTrap(
      result, "the state of Board was read inside its own reducer, which was reducing Board.Action.report")
  }
}
#endif
