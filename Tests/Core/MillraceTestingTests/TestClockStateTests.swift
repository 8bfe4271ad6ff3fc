import Testing

@testable import MillraceTesting

@Suite struct TestClockStateTests {
  var state = TestClockState<String>(now: .start)

  @discardableResult
  private mutating func sleep(_ waiter: String, until second: Int) -> [Resumption<String>] {
    let sleeper = TestClock.Sleeper(deadline: .start + .seconds(second), tolerance: nil, name: waiter)
    return state.sleeperArrived(state.sleeping.entered(), waiter, sleeper)
  }

  @discardableResult
  private mutating func watch(_ waiter: String, for count: Int) -> [Resumption<String>] {
    state.watcherArrived(state.watching.entered(), waiter, for: count)
  }

  @Test("sleepers are woken in order of deadline, ties in order of arrival")
  mutating func order() {
    sleep("late", until: 3)
    sleep("tie 1", until: 2)
    sleep("early", until: 1)
    sleep("tie 2", until: 2)
    #expect(state.sleepers.map(\.name) == ["early", "tie 1", "tie 2", "late"])
    let woken = state.advanced(by: .seconds(3))
    #expect(woken == ["early", "tie 1", "tie 2", "late"].map { Resumption($0, .reached) })
  }

  @Test("an advance wakes those due at its very end, and none later")
  mutating func boundary() {
    sleep("due", until: 2)
    sleep("not due", until: 3)
    #expect(state.advanced(to: .start + .seconds(2)) == [Resumption("due", .reached)])
    #expect(state.sleepers.map(\.name) == ["not due"])
    #expect(state.nextDue == .start + .seconds(3))
  }

  @Test("whoever arrives when its deadline has come is resumed at once and never counts as a sleeper")
  mutating func due() {
    _ = state.advanced(by: .seconds(2))
    watch("watcher", for: 1)
    #expect(sleep("past", until: 1) == [Resumption("past", .reached)])
    #expect(sleep("present", until: 2) == [Resumption("present", .reached)])
    #expect(state.sleepers.isEmpty)
    #expect(state.watching.count == 1)
  }

  @Test("time never goes back")
  mutating func monotonic() {
    _ = state.advanced(to: .start + .seconds(5))
    #expect(state.advanced(to: .start + .seconds(4)) == [])
    #expect(state.now == .start + .seconds(5))
  }

  @Test("a watcher is resumed by the sleeper that makes the number full, not before")
  mutating func watcher() {
    #expect(watch("none", for: 0) == [Resumption("none", .reached)])
    #expect(watch("two", for: 2) == [])
    #expect(watch("one", for: 1) == [])
    #expect(sleep("a", until: 1) == [Resumption("one", .reached)])
    #expect(sleep("b", until: 1) == [Resumption("two", .reached)])
    #expect(watch("at once", for: 2) == [Resumption("at once", .reached)])
  }

  @Test("a sleeper that was woken counts for no watcher")
  mutating func wokenDoesNotCount() {
    sleep("a", until: 1)
    _ = state.advanced(by: .seconds(1))
    #expect(watch("two", for: 2) == [])
    #expect(sleep("b", until: 2) == [])
    #expect(sleep("c", until: 2) == [Resumption("two", .reached)])
  }
}
