import Millrace
import Testing

/// Sequences of the values of a slice.
@Suite("Values of a slice", .timeLimit(.minutes(10)))
struct StoreValuesTests {
  @Test("a value that comes again before the consumer has taken another one is not given again")
  func again() async {
    let store = BoardStore(on: .immediate)
    let values = store.values(of: \.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    store.dispatch(.add(1))
    store.dispatch(.add(-1))
    await store.shutdown()
    #expect(await values.next() == nil)
  }
}
