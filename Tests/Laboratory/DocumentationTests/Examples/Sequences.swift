import Millrace
import Testing

@Suite struct SequenceExamples {
  private let store = Store(initialState: Tally.State(), reduce: Tally.reduce)

  @Test("values and actions are iterated over until the store shuts down")
  func iterated() async {
    let store = store
    let values = Task {
      // StoreValues
      for await count in store.values(of: \.count) { print(count) }
    }
    let actions = Task {
      // StoreActions
      for await (action, state) in store.actions() { print(action, state.count) }
    }
    store.dispatch(.incremented)
    await store.shutdown()
    await values.value
    await actions.value
    #expect(store.state.count == 1)
  }
}
