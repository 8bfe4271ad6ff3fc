import TestSupport
import Testing

@testable import Millrace

@Suite("Smallest first")
struct SmallestFirstTests {
  @Test("what is taken is what sorting would find, up to any limit")
  func model() {
    var random = SeededGenerator(seed: 1)
    for _ in 1...200 {
      var (elements, model) = (SmallestFirst<UInt64>(), [UInt64]())
      for _ in 1...60 {
        let number = UInt64.random(in: 0..<20, using: &random)
        if Int.random(in: 0..<3, using: &random) > 0 {
          elements.insert(number, at: number)
          model = (model + [number]).sorted()
        } else {
          let isTaken = model.first.map { $0 <= number } ?? false
          #expect(elements.takeFirst(upTo: number) == (isTaken ? model.removeFirst() : nil))
        }
        #expect(elements.isEmpty == model.isEmpty)
      }
    }
  }

  @Test("100,000 elements that come in reverse are taken in their order")
  func reverse() {
    let count: UInt64 = 100_000
    var elements = SmallestFirst<UInt64>()
    for number in (1...count).reversed() { elements.insert(number, at: number) }
    #expect((1...count).allSatisfy { elements.takeFirst(upTo: $0) == $0 })
    #expect(elements.isEmpty)
  }
}
