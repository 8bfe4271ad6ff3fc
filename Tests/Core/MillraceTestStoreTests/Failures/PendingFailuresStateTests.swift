import Testing

@testable import MillraceTestStore

@Suite("PendingFailuresState") struct PendingFailuresStateTests {
  @Test("nothing is waited for without failures") func nothing() {
    var state = PendingFailuresState<String>()
    let isFlushed = state.waited("a")
    let ticket = state.sent()
    let resumed = state.recorded(ticket)
    let isFlushedAgain = state.waited("b")
    #expect(isFlushed && resumed == [] && isFlushedAgain)
  }

  @Test("a waiter waits for the failures before it, in any order, and for none after it") func order() {
    var state = PendingFailuresState<String>()
    let (first, second) = (state.sent(), state.sent())
    let isFirstFlushed = state.waited("a")
    let third = state.sent()
    let isSecondFlushed = state.waited("b")
    let resumed = [second, first, third].map { state.recorded($0) }
    #expect(!isFirstFlushed && !isSecondFlushed && resumed == [[], ["a"], ["b"]])
  }
}
