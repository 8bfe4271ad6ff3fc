import Testing

@testable import MillraceEffects

@Suite struct SlotQueueTests {
  @Test("slots are given at once while there are any, then in order of arrival")
  func order() {
    var queue = SlotQueue<String>(free: 1)
    let tickets = (0..<3).map { _ in queue.arrived() }
    #expect(queue.suspended(tickets[0], "a") == true)
    #expect(queue.suspended(tickets[2], "c") == nil)
    #expect(queue.suspended(tickets[1], "b") == nil)
    #expect(queue.released() == "b")
    #expect(queue.released() == "c")
    #expect(queue.released() == nil)
    let next = queue.arrived()
    #expect(queue.suspended(next, "d") == true)
  }

  @Test("a waiter that is cancelled while waiting is skipped")
  func cancelledWaiting() {
    var queue = SlotQueue<String>(free: 0)
    let (a, b) = (queue.arrived(), queue.arrived())
    _ = queue.suspended(a, "a")
    _ = queue.suspended(b, "b")
    #expect(queue.cancelled(a) == "a")
    #expect(queue.released() == "b")
    #expect(queue.waitingCount == 0)
  }

  @Test("a waiter that is cancelled before waiting gets no slot, and its place goes to the next")
  func cancelledBefore() {
    var queue = SlotQueue<String>(free: 0)
    let (a, b) = (queue.arrived(), queue.arrived())
    #expect(queue.cancelled(a) == nil)
    #expect(queue.suspended(a, "a") == false)
    #expect(queue.released() == nil)  // kept for b, which has arrived and not suspended yet
    #expect(queue.suspended(b, "b") == true)
  }

  @Test("a waiter that is cancelled after it got a slot keeps it, to give it back")
  func cancelledAfter() {
    var queue = SlotQueue<String>(free: 0)
    let ticket = queue.arrived()
    #expect(queue.released() == nil)
    #expect(queue.cancelled(ticket) == nil)
    #expect(queue.suspended(ticket, "a") == true)
    #expect(queue.released() == nil)
    let next = queue.arrived()
    #expect(queue.suspended(next, "b") == true)
  }

  @Test("whatever happens in whatever order, slots are neither lost nor made")
  func conservation() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let limit = Int.random(in: 1...3, using: &generator)
      var queue = SlotQueue<UInt64>(free: limit)
      var (arrived, waiting): ([UInt64], [UInt64]) = ([], [])
      var holding = 0
      for _ in 0..<100 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: arrived.append(queue.arrived())
        case 1:
          guard let ticket = arrived.popLast() else { continue }
          switch queue.suspended(ticket, ticket) {
          case true?: holding += 1
          case false?: break
          case nil: waiting.append(ticket)
          }
        case 2:
          guard let ticket = (arrived + waiting).randomElement(using: &generator) else { continue }
          if queue.cancelled(ticket) != nil { waiting.removeAll { $0 == ticket } }
        default:
          guard holding > 0 else { continue }
          holding -= 1
          if let woken = queue.released() {
            #expect(woken == waiting.min())
            waiting.removeAll { $0 == woken }
            holding += 1
          }
        }
        #expect(holding <= limit)
      }
      for ticket in arrived where queue.suspended(ticket, ticket) == true { holding += 1 }
      while holding > 0 {
        holding -= 1
        if queue.released() != nil { holding += 1 }
      }
      let tickets = (0..<limit + 1).map { _ in queue.arrived() }
      #expect(tickets.map { queue.suspended($0, $0) } == Array(repeating: true, count: limit) + [nil])
    }
  }
}
