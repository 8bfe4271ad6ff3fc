import Millrace
import MillraceTesting
import Testing

@Suite("The first state", .timeLimit(.minutes(10))) struct FirstTests {
  private let store = Store<Int, Int>(initialState: 0, on: .immediate) { $0 = $1 }

  @Test("a state that lasts for one turn of several is found")
  func short() async throws {
    let serial = Store<Int, Int>(initialState: 0) { $0 = $1 }
    let asked = Gate()
    async let found = serial.first { state in
      asked.open()
      return state == 7
    }
    try await asked.wait()
    for number in 1...100 { serial.dispatch(number) }
    #expect(await found == 7)
    #expect(await serial.first { $0 == 100 } == 100)
  }

  @Test("the first of two states is found, though the second follows before the task waits")
  func firstOfTwo() async {
    let silent = StoreOptions(diagnostics: StoreDiagnostics { _ in })
    let store = Store<Int, Int>(initialState: 0, on: .immediate, options: silent) { $0 = $1 }
    // Reduced before `first` waits for what its predicate has found.
    let found = await store.first { state in
      if state == 0 { store.dispatch(1) }
      return true
    }
    #expect(found == 0)
    #expect(store.state == 1)
  }

  @Test("the present state is found at once, and nothing is left of a wait that is over")
  func over() async {
    #expect(await store.first { $0 == 0 } == 0)
    await store.settled()
    #expect(store.activity.entries.isEmpty)
  }

  @Test("a wait ends when its task is cancelled")
  func cancelled() async throws {
    let asked = Gate()
    let wait = Task { [store] in
      await store.first { _ in
        asked.open()
        return false
      }
    }
    try await asked.wait()
    wait.cancel()
    #expect(await wait.value == nil)
  }
}
