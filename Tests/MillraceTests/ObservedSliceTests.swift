#if canImport(Observation)
import Dispatch
import Foundation
import Millrace
import MillraceTesting
import Observation
import Testing

@Suite("Observed slices") @MainActor struct ObservedSliceTests {
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

  @Test("a model has the value of the moment in which it is made, and each newer one is tracked")
  func tracked() async {
    store.dispatch(.counted)
    let slice = ObservedSlice(store.scope(\.count))
    #expect(slice.value == 1)
    let changes = Recorder<Int>()
    withObservationTracking {
      _ = slice.value
    } onChange: {
      changes.append(1)
    }
    slice.send(.counted)
    await store.settled()
    #expect(slice.value == 2)
    #expect(changes.count == 1)
  }

  @Test("a value that does not differ is not told again")
  func unchanged() async {
    let slice = ObservedSlice(store.scope(\.count))
    await store.settled()
    let changes = Recorder<Int>()
    withObservationTracking {
      _ = slice.value
    } onChange: {
      changes.append(1)
    }
    slice.send(.typed("swift"))
    slice.sendAndWait(.typed("millrace"))
    await store.settled()
    #expect(changes.count == 0)
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

  @Test("what was typed does not go back to an older value that has waited for the main actor")
  func typedLast() async {
    let more = Late<@Sendable () -> Void>()
    let store = Store<Desk, Action>(initialState: Desk()) { desk, action in
      switch action {
      case .counted:
        usleep(500)
        desk.count += 1
      case .typed(let query):
        desk.query = query
        if query == "new" { more.value?() }
      }
    }
    // While this is reduced others come, so that no view is served before it returns.
    let count: @Sendable () -> Void = { [weak store] in _ = store?.dispatch(.counted) }
    more.value = {
      let isSent = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        for _ in 0..<100 { count() }
        isSent.signal()
      }
      isSent.wait()
    }
    let slice = ObservedSlice(store)
    await store.settled()
    let queries = Recorder<String>()
    store.connect(ClosureComponent<String> { queries.append($0) }, to: \.query)
    store.dispatch(.typed("old"))
    while queries.values.last != "old" { usleep(1000) }  // the view waits, too, for the main actor
    slice.sendAndWait(.typed("new"))
    for _ in 0..<100 {
      #expect(slice.value.query == "new")
      await Task.yield()
    }
    await store.settled()
    #expect(slice.value == Desk(count: 100, query: "new"))
  }

  @Test("the model that nobody holds any more is disconnected")
  func released() async {
    var slice: ObservedSlice<Int, Action>? = ObservedSlice(store.scope(\.count))
    await store.settled()
    #expect(store.activity.entries.count == 1)
    weak let model = slice
    slice = nil
    #expect(model == nil)
    store.dispatch(.counted)
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }

  @Test("a store that was shut down refuses what is sent")
  func refused() async {
    let slice = ObservedSlice(store)
    await store.shutdown()
    #expect(!slice.send(.counted))
    #expect(slice.value.count == 0)
  }
}
#endif
