import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@Suite struct LimitOrderTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("whoever comes, leaves and ends, slots go to whom the declared order says, and none is left empty")
  func order() async {
    for seed in TestSize.seeds(50, full: 200) {
      await Task.yield()
      var random = SeededGenerator(seed: seed)
      let limit = Int.random(in: 1...3, using: &random)
      let order = Bool.random(using: &random) ? SlotOrder.firstInFirstOut : .lastInFirstOut
      let composition = Composition(script: RunScript(seed: seed)) { work in
        ErasedEffect(work.limited(to: limit, order: order, priority: { $0 % 3 }))
      }
      var line = Line(limit: limit, order: order)
      var (time, asked) = (Duration.zero, [Int]())
      for number in 1...40 {
        time += .microseconds(Int.random(in: 1...2_000_000, using: &random))
        composition.ask(for: Set(asked), at: time) { line.look(at: composition) }
        if Int.random(in: 0..<3, using: &random) > 0 {
          asked.append(number)
          line.waiting.append(number)
        } else if let gone = asked.randomElement(using: &random) {
          asked.removeAll { $0 == gone }
          line.waiting.removeAll { $0 == gone }
        }
        composition.ask(for: Set(asked), at: time)
        line.look(at: composition)
      }
      #expect(line.violations == [], "MILLRACE_SEED=\(seed)")
      #expect(line.served > 5, "MILLRACE_SEED=\(seed)")
    }
  }
}

/// Those who wait, in order of arrival.
private struct Line {
  let limit: Int
  let order: SlotOrder
  var waiting: [Int] = []
  private(set) var violations: [String] = []
  private(set) var served = 0
  private var seen = 0

  init(limit: Int, order: SlotOrder) {
    self.limit = limit
    self.order = order
  }

  /// Whose turn it is: the highest priority, and among equals the first or the last to have come.
  private var next: Int? {
    let best = waiting.filter { number in waiting.allSatisfy { $0 % 3 <= number % 3 } }
    return order == .firstInFirstOut ? best.first : best.last
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func look(at composition: Composition) {
    for mark in composition.marks.values[seen...] {
      seen += 1
      guard case .began(let number) = mark.mark else { continue }
      if number != next { violations.append("\(mark), while \(waiting) wait") }
      waiting.removeAll { $0 == number }
      served += 1
    }
    let underWay = composition.work.underWay.count
    if underWay > limit || (underWay < limit && !waiting.isEmpty) {
      violations.append("\(underWay) run while \(waiting) wait")
    }
  }
}
