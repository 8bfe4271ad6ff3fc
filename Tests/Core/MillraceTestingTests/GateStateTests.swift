import Testing

@testable import MillraceTesting

@Suite struct GateStateTests {
  var state = GateState<String>(isOpen: false)

  @discardableResult
  private mutating func arrive(_ waiter: String) -> [Resumption<String>] {
    state.waiterArrived(state.waiting.entered(), waiter)
  }

  @Test("passes go to those who wait longest, and what is left to those who come next")
  mutating func passes() {
    arrive("a")
    arrive("b")
    #expect(state.passGranted(to: 1) == [Resumption("a", .reached)])
    #expect(state.passGranted(to: 2) == [Resumption("b", .reached)])
    #expect(state.passes == 1)
    #expect(arrive("c") == [Resumption("c", .reached)])
    #expect(arrive("d") == [])
  }

  @Test("a wait that was cancelled early uses up no pass")
  mutating func cancelledEarlyKeepsPass() {
    _ = state.passGranted(to: 1)
    let ticket = state.waiting.entered()
    #expect(state.waiting.cancelled(ticket) == nil)
    #expect(state.waiterArrived(ticket, "a") == [Resumption("a", .cancelled)])
    #expect(state.passes == 1)
  }

  @Test("opening lets everybody through and forgets the passes")
  mutating func opening() {
    arrive("a")
    arrive("b")
    #expect(state.opened() == [Resumption("a", .reached), Resumption("b", .reached)])
    #expect(state.passGranted(to: 3) == [])
    #expect(arrive("c") == [Resumption("c", .reached)])
    state.closed()
    #expect(state.passes == 0)
    #expect(arrive("d") == [])
  }

  @Test("closing takes back unused passes")
  mutating func closing() {
    _ = state.passGranted(to: 2)
    state.closed()
    #expect(arrive("a") == [])
  }

  @Test("a watcher is resumed by the waiter that makes the number full")
  mutating func watcher() {
    #expect(state.watcherArrived(state.watching.entered(), "two", for: 2) == [])
    #expect(arrive("a") == [])
    #expect(arrive("b") == [Resumption("two", .reached)])
    #expect(state.watcherArrived(state.watching.entered(), "one", for: 1) == [Resumption("one", .reached)])
  }
}
