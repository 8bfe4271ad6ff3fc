import Millrace
import MillraceExplorer
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

/// What an explorer's model of a feature does is what a store does, and what the store's recording gives when it is replayed:
/// each random walk through a random feature is made by all three.
@Suite struct RandomFeatureTests {
  @Test func modelStoreAndReplayGoTheSameWay() async throws {
    var counts = WalkCounts()
    let seeds = TestSize.seeds(40, full: 50_000)
    for seed in seeds {
      await Task.yield()  // other tests go on meanwhile
      guard let walked = try await walk(seed) else { return }
      counts.add(walked)
    }
    if seeds.count >= 1_000 {
      #expect(counts.steps > 8 * seeds.count)
      #expect(counts.runs > 10 * seeds.count)
      #expect(counts.outcomes > seeds.count)
      #expect(counts.restarts > seeds.count / 100)
      #expect(counts.handedOver > seeds.count / 100)
      #expect(counts.left > seeds.count / 200)
      #expect(counts.timed > seeds.count / 4)
      #expect(counts.choices > seeds.count / 100)
      #expect(counts.between > seeds.count / 10)
      #expect(counts.undecided < seeds.count / 100)
      #expect(counts.replayed > 5 * seeds.count)
      #expect(counts.decided > 5 * seeds.count)
    }
  }

  /// Features that a longer search has found. In the first a throttle lets either of two requests in first; in the second a
  /// part ends by an answer and is there again before its run returns.
  @Test(arguments: [17_956, 43_854] as [UInt64]) func foundByALongerSearch(_ seed: UInt64) async throws {
    _ = try await walk(seed)
  }

  /// - Returns: `nil` if model, store and replay differ, which fails the test.
  private func walk(_ seed: UInt64) async throws -> WalkCounts? {
    var random = SeededGenerator(seed: seed)
    var walk = await FeatureWalk(using: &random)
    for _ in 0..<walk.length {
      if let difference = walk.difference {
        Issue.record("MILLRACE_SEED=\(seed)\n\(difference)")
        return nil
      }
      guard await walk.goOn(&random) else { break }
    }
    let verdict = try await walk.replay()
    guard case .same(let summary) = verdict else {
      Issue.record("MILLRACE_SEED=\(seed)\n\(verdict)")
      return nil
    }
    var counts = walk.counts
    (counts.replayed, counts.decided) = (summary.actions, summary.decisions)
    return counts
  }
}

/// How much was walked.
struct WalkCounts {
  var steps = 0
  var runs = 0
  var outcomes = 0
  var restarts = 0
  var handedOver = 0
  /// How many moves were made by what was due.
  var timed = 0
  /// How often the model could be in several places.
  var choices = 0
  /// How many runs have ended and left a value that was handed over to them.
  var left = 0
  /// How many actions of closures were reduced.
  var between = 0
  /// How many walks ended where the order at one moment decides what is served.
  var undecided = 0
  /// How many actions and decisions of the store were replayed.
  var replayed = 0
  var decided = 0

  mutating func add(_ other: WalkCounts) {
    steps += other.steps
    runs += other.runs
    outcomes += other.outcomes
    restarts += other.restarts
    handedOver += other.handedOver
    timed += other.timed
    choices += other.choices
    left += other.left
    between += other.between
    undecided += other.undecided
    replayed += other.replayed
    decided += other.decided
  }
}
