import TestSupport
import Testing

@testable import MillraceEffects

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
  for seed in 0..<200 {
    var generator = SeededGenerator(seed: UInt64(seed))
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

@Suite struct WaitingLineTests {
  private struct Waiter {
    let ticket: UInt64
    let priority: Int
  }

  @Test(
    "whoever arrives and leaves, the next is the one that sorting would find",
    arguments: 1...20 as ClosedRange<UInt64>)
  func model(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for order in [SlotOrder.firstInFirstOut, .lastInFirstOut] {
      var (line, model, ticket) = (WaitingLine(order), [Waiter](), UInt64(0))
      for _ in 0..<400 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          ticket += 1
          let priority = Int.random(in: -2...2, using: &random)
          line.arrived(ticket, priority: priority)
          model.append(Waiter(ticket: ticket, priority: priority))
        case 2, 3:
          guard let index = model.indices.randomElement(using: &random) else { continue }
          let gone = model.remove(at: index).ticket
          // Twice, which changes nothing.
          for _ in 1...2 { line.left(gone) }
        default:
          let first = model.max { left, right in
            if left.priority != right.priority { return left.priority < right.priority }
            return order == .firstInFirstOut ? left.ticket > right.ticket : left.ticket < right.ticket
          }
          model.removeAll { $0.ticket == first?.ticket }
          #expect(line.next() == first?.ticket, "seed \(seed)")
        }
        if let waiter = model.randomElement(using: &random) {
          let before = model.count { other in
            if other.priority != waiter.priority { return other.priority > waiter.priority }
            return order == .firstInFirstOut ? other.ticket < waiter.ticket : other.ticket > waiter.ticket
          }
          #expect(line.countBefore(waiter.ticket) == before, "seed \(seed)")
        }
        #expect(line.countBefore(ticket + 1) == nil)
        #expect(line.count == model.count)
      }
    }
  }
}
