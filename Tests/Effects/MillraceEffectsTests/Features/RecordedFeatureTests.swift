import Millrace
import MillraceTrace
import TestSupport
import Testing

/// What a store has done is what its recording gives when it is replayed: states and decisions of random walks through
/// random features.
@Suite struct RecordedFeatureTests {
  @Test func aReplayGoesAsTheStoreDid() async throws {
    var (actions, decisions, unlike) = (0, 0, 0)
    let seeds = TestSize.seeds(30, full: 300)
    for seed in seeds {
      await Task.yield()  // other tests go on meanwhile
      var random = SeededGenerator(seed: seed)
      var walk = await FeatureWalk(using: &random, isRecorded: true)
      for _ in 0..<walk.length {
        guard walk.difference == nil, await walk.goOn(&random) else { break }
      }
      switch try await walk.replay() {
      case .same(let summary):
        actions += summary.actions
        decisions += summary.decisions
      case let verdict:
        unlike += 1
        Issue.record("MILLRACE_SEED=\(seed)\n\(verdict.map { "\($0)" } ?? "not recorded")")
        if unlike > 3 { return }
      }
    }
    if seeds.count >= 300 {
      #expect(actions > 5 * seeds.count)
      #expect(decisions > 5 * seeds.count)
    }
  }
}
