import Testing

@testable import MillraceTesting

@Suite struct WaitListTests {
  var list = WaitList<Int, String>()

  private mutating func wait(_ waiter: String, for key: Int = 0) {
    let ticket = list.entered()
    let resumed = list.suspended(ticket, waiter: waiter, for: key, isReached: false)
    #expect(resumed == [])
  }

  @Test("what is already so resumes at once and leaves no trace")
  mutating func reachedAtOnce() {
    let ticket = list.entered()
    #expect(!list.isEmpty)
    #expect(list.suspended(ticket, waiter: "a", for: 0, isReached: true) == [Resumption("a", .reached)])
    #expect(list.isEmpty)
  }

  @Test("a wait that is cancelled before it suspends ends as cancelled, even if what it waits for is so")
  mutating func cancelledEarly() {
    let ticket = list.entered()
    #expect(list.cancelled(ticket) == nil)
    #expect(list.count == 0)
    #expect(list.suspended(ticket, waiter: "a", for: 0, isReached: true) == [Resumption("a", .cancelled)])
    #expect(list.isEmpty)
  }

  @Test("a suspended wait that is cancelled is resumed as cancelled, and the others stay")
  mutating func cancelledWhileSuspended() {
    wait("a")
    let ticket = list.entered()
    #expect(list.suspended(ticket, waiter: "b", for: 0, isReached: false) == [])
    wait("c")
    #expect(list.cancelled(ticket) == Resumption("b", .cancelled))
    #expect(list.reached(first: 3) == [Resumption("a", .reached), Resumption("c", .reached)])
    #expect(list.isEmpty)
  }

  @Test("cancelling a wait that has ended changes nothing")
  mutating func cancelledLate() {
    let ticket = list.entered()
    _ = list.suspended(ticket, waiter: "a", for: 0, isReached: false)
    #expect(list.reached(first: 1) == [Resumption("a", .reached)])
    #expect(list.cancelled(ticket) == nil)
    #expect(list.isEmpty)
  }

  @Test("waiters whose key is reached are resumed in order of arrival, once")
  mutating func reachedByKey() {
    wait("a", for: 2)
    wait("b", for: 5)
    wait("c", for: 1)
    #expect(list.reached(count: 0) == [])
    #expect(list.reached(count: 2) == [Resumption("a", .reached), Resumption("c", .reached)])
    #expect(list.reached(count: 2) == [])
    #expect(list.keys == [5])
  }

  @Test("a limit resumes those who came first")
  mutating func reachedByLimit() {
    wait("a")
    wait("b")
    wait("c")
    #expect(list.reached(first: 0) == [])
    #expect(list.reached(first: 2) == [Resumption("a", .reached), Resumption("b", .reached)])
    #expect(list.reached(first: .max) == [Resumption("c", .reached)])
  }
}
