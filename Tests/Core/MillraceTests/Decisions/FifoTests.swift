import TestSupport
import Testing

@testable import Millrace

@Suite("Fifo")
struct FifoTests {
  @Test("gives what was put in, oldest first, whatever the order of putting and taking", arguments: 0..<20)
  func model(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (fifo, model) = (Fifo<Int>(), [Int]())
    for number in 0..<2_000 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        fifo.append(number)
        model.append(number)
      } else {
        #expect(fifo.takeFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(fifo.count == model.count && fifo.isEmpty == model.isEmpty)
    }
    for number in model { #expect(fifo.takeFirst() == number) }
  }

  @Test("a flow that never runs dry keeps no more than it holds") func steady() {
    final class Counted {}
    var fifo = Fifo<Counted>()
    weak var first: Counted?
    for number in 0..<10_000 {
      let counted = Counted()
      if number == 0 { first = counted }
      fifo.append(counted)
      if number > 10 { _ = fifo.takeFirst() }
    }
    #expect(first == nil)
    #expect(fifo.count == 11)
  }
}
