import Millrace
import MillraceTesting
import Testing

@Suite("What is sent inside an immediate store", .timeLimit(.minutes(10)))
struct ImmediateTests {
  @Test("R4: what is sent inside a turn of an immediate store is reduced before the outer call returns")
  func insideTurn() {
    let handle = Late<BoardStore>()
    let store = BoardStore(
      initialState: Board(), on: .immediate,
      options: StoreOptions(diagnostics: StoreDiagnostics { _ in })
    ) { board, action in
      Board.reduce(&board, action)
      if action == .add(1) { handle.value?.dispatch(.add(10)) }
    }
    handle.value = store
    store.dispatch(.add(1))
    #expect(store.state.count == 11)
    store.dispatchAndWait(.add(1))
    #expect(store.state.count == 22)
    store.connect(
      RecordingComponent<Int>(),
      props: { board in
        if board.count == 33 { handle.value?.dispatch(.add(100)) }
        return board.count
      })
    // The selector sees 33, since the reducer has sent its own.
    store.dispatch(.add(1))
    #expect(store.state.count == 133)
    handle.value = nil
  }

  @Test("R4: what the description of a request sends while the activity is listed is reduced")
  func insideDescription() async throws {
    struct Chatty: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
      let step: @Sendable () -> Void
      static func == (left: Self, right: Self) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
      var description: String {
        step()
        return "chatty"
      }
      var debugDescription: String { description }
    }
    let store = BoardStore(
      initialState: Board(), on: .immediate, options: StoreOptions(diagnostics: StoreDiagnostics { _ in }),
      reduce: Board.reduce)
    let gate = Gate()
    let request = Chatty(step: { [weak store] in store?.dispatch(.add(1)) })
    store.connect(
      when: { _ in Optional(request) }, run: { (_: Chatty, _) in await gate.waitIgnoringCancellation() })
    try await gate.waiters(atLeast: 1)
    _ = store.activity.description
    #expect(store.state.count >= 1)
    await store.settled(opening: gate)
  }

  @Test("R4: what a selector sends as a component is connected is reduced")
  func insideConnect() {
    let store = BoardStore(
      initialState: Board(), on: .immediate, options: StoreOptions(diagnostics: StoreDiagnostics { _ in }),
      reduce: Board.reduce)
    let sent = Once()
    store.connect(
      RecordingComponent<Int>(),
      props: { [weak store] board in
        if sent.isFirst { store?.dispatch(.add(7)) }
        return board.count
      })
    #expect(store.state.count == 7)
  }
}
