import MillraceTesting
import Testing

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
  var title: String
}

private struct Cart: Equatable, Sendable {
  var count = 0
  var rows: [Row] = []
}

@Suite struct DifferenceExamples {
  @Test("a difference of two carts")
  func difference() {
    // Difference
    let old = Cart(count: 0, rows: [Row(id: 7, title: "Frogs"), Row(id: 9, title: "Newts")])
    let new = Cart(count: 1, rows: [Row(id: 7, title: "Toads")])
    print(Difference(from: old, to: new))
    //   count: 0 → 1
    //   rows[id: 9]: removed Row(id: 9, title: "Newts")
    //   rows[id: 7].title: "Frogs" → "Toads"
    #expect(Difference(from: old, to: new).count == 3)
  }

  @Test("a seed gives the same dice again")
  func seeded() {
    // SeededRandom
    var random = SeededRandom(seed: 7)
    let dice = (1...5).map { _ in Int.random(in: 1...6, using: &random) }
    random = SeededRandom(seed: 7)
    #expect((1...5).map { _ in Int.random(in: 1...6, using: &random) } == dice)
  }

  @Test("ids are numbered")
  func ids() {
    // IncrementingIDs
    struct Order: Equatable, Sendable { let id: String }
    let ids = IncrementingIDs { "order-\($0)" }
    let makeOrder: @Sendable () -> Order = { Order(id: ids.next()) }
    #expect(makeOrder() == Order(id: "order-0"))
    #expect(makeOrder() == Order(id: "order-1"))
  }
}
