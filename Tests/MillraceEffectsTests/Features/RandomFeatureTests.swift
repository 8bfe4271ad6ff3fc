import Millrace
import TestSupport
import Testing

@testable import MillraceTesting

/// What an explorer's model of a feature does is what a store does: each random walk through a random feature is made by
/// both.
@Suite struct RandomFeatureTests {
  @Test func theModelGoesAsTheStoreDoes() async {
    var counts = WalkCounts()
    let seeds = Stress.seeds(2_000)
    for seed in seeds {
      await Task.yield()  // other tests go on meanwhile
      var random = SeededGenerator(seed: seed)
      var walk = FeatureWalk(using: &random)
      for _ in 0..<walk.length {
        if let difference = walk.difference {
          Issue.record("MILLRACE_SEED=\(seed)\n\(difference)")
          return
        }
        guard walk.goOn(&random) else { break }
      }
      counts.add(walk.counts)
    }
    if seeds.count >= 1_000 {
      #expect(counts.steps > 8 * seeds.count)
      #expect(counts.runs > 10 * seeds.count)
      #expect(counts.outcomes > seeds.count)
      #expect(counts.restarts > seeds.count / 100)
      #expect(counts.handedOver > seeds.count / 100)
    }
  }
}

/// How much was walked.
struct WalkCounts {
  var steps = 0
  var runs = 0
  var outcomes = 0
  var restarts = 0
  var handedOver = 0

  mutating func add(_ other: WalkCounts) {
    steps += other.steps
    runs += other.runs
    outcomes += other.outcomes
    restarts += other.restarts
    handedOver += other.handedOver
  }
}
