#if canImport(Observation)
import Dispatch
import Millrace
import MillraceTesting
import Observation
import TestSupport
import Testing

@Suite("Observed slices", .timeLimit(.minutes(10))) @MainActor struct ObservedSliceTests {
  private struct Desk: Equatable, Sendable {
    var count = 0
    var query = ""
  }

  private enum Action: Sendable {
    case counted
    case typed(String)
  }

  private let store = Store<Desk, Action>(initialState: Desk(), on: .immediate) { desk, action in
    switch action {
    case .counted: desk.count += 1
    case .typed(let query): desk.query = query
    }
  }

  @Test("a model has the value at its making; each newer one is tracked, an equal one is not")
  func tracked() async {
    store.dispatch(.counted)
    let slice = ObservedSlice(store.scope(\.count))
    #expect(slice.value == 1)
    await store.settled()
    let changes = Recorder<Int>()
    withObservationTracking {
      _ = slice.value
    } onChange: {
      changes.append(1)
    }
    slice.dispatch(.typed("swift"))
    slice.dispatchAndWait(.typed("millrace"))
    await store.settled()
    #expect(changes.count == 0)
    slice.dispatch(.counted)
    await store.settled()
    #expect(slice.value == 2)
    #expect(changes.count == 1)
  }

  @Test("what a field is typed into shows at once what was typed")
  func bound() async {
    let slice = ObservedSlice(store)
    let query = slice.binding(\.query) { .typed($0) }
    query.set("swift")
    #expect(query.get() == "swift")
    #expect(slice.value.query == "swift")
    await store.settled()
    #expect(query.get() == "swift")
  }

  @Test(
    "what was typed does not go back to an older value that waits for the main actor", .blocksThreads,
    arguments: 0..<10)
  func typedLast(_: Int) async {
    let sendMore = Late<@Sendable () -> Void>()
    // By this clock no view is overdue.
    var options = StoreOptions()
    options.seams.now = { [start = Moment.now] in start }
    let store = Store<Desk, Action>(initialState: Desk(), options: options) { desk, action in
      switch action {
      case .counted: desk.count += 1
      case .typed(let query):
        desk.query = query
        if query == "new" { sendMore.value?() }
      }
    }
    // More arrives while "new" is reduced, so that no view is served before `dispatchAndWait` returns.
    sendMore.value = { [weak store] in
      let areSent = Signal()
      DispatchQueue.global().async { [store] in
        for _ in 0..<5_000 { store?.dispatch(.counted) }
        areSent.give()
      }
      areSent.wait()
    }
    let slice = ObservedSlice(store)
    let isServed = Signal()
    store.connect(ClosureComponent<String> { if $0 == "old" { isServed.give() } }, to: \.query)
    await store.settled()
    store.dispatch(.typed("old"))
    isServed.wait()  // with the main actor held: the view waits for it
    slice.dispatchAndWait(.typed("new"))
    for _ in 0..<100 {
      #expect(slice.value.query == "new")
      await Task.yield()
    }
    await store.settled()
    #expect(slice.value == Desk(count: 5_000, query: "new"))
  }

  @Test("the model that nobody holds any more is disconnected")
  func released() async {
    var slice: ObservedSlice<Int, Action>? = ObservedSlice(store.scope(\.count))
    await store.settled()
    #expect(store.activity.entries.count == 1)
    weak let model = slice
    slice = nil
    #expect(model == nil)
    await store.settled(after: .counted)
    #expect(store.activity.entries.isEmpty)
  }

  @Test("a store that was shut down refuses what is sent")
  func refused() async {
    let slice = ObservedSlice(store)
    await store.shutdown()
    #expect(!slice.dispatch(.counted))
    #expect(slice.value.count == 0)
  }
}
#endif
