import Testing

@testable import Millrace

@Suite("UnpromisedOrder")
struct UnpromisedOrderTests {
  @Test("without a seed all stays as it comes") func off() {
    var order = UnpromisedOrder(seed: nil)
    var list = Array(0..<100)
    order.arrange(&list)
    #expect(list == Array(0..<100) && !order.isShuffled)
  }

  @Test("one seed gives one order, with everything in it, and another the next time") func seeded() {
    var (left, right) = (UnpromisedOrder(seed: 7), UnpromisedOrder(seed: 7))
    var (first, second, third) = (Array(0..<100), Array(0..<100), Array(0..<100))
    left.arrange(&first)
    right.arrange(&second)
    #expect(first == second && first != third && first.sorted() == third)
    left.arrange(&third)
    #expect(third != first)
  }
}
