import TestSupport
import Testing

@testable import MillraceEffects

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
          line.left(model.remove(at: index).ticket)
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
        #expect(line.entryCount <= 2 * model.count, "seed \(seed)")
      }
    }
  }

  @Test("a run that leaves a line twice, or was never in it, changes nothing")
  func strangers() {
    var line = WaitingLine(.firstInFirstOut)
    line.left(7)
    line.arrived(1, priority: 0)
    line.arrived(2, priority: 0)
    line.left(1)
    line.left(1)
    #expect(line.next() == 2)
    #expect(line.next() == nil)
  }
}
