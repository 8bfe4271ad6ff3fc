import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@testable import MillraceExplorer

/// Decisions and moves that are kept are those that are made anew.
@Suite struct ExplorerCacheTests {
  private func isSame(_ explorer: Explorer<some Sendable, some Sendable>) {
    var bare = explorer
    bare.keepsDecisions = false
    let (kept, made) = (explorer.explore(depth: 9), bare.explore(depth: 9))
    #expect(kept.counts == made.counts)
    #expect("\(kept)" == "\(made)")
    #expect(kept.counts.states > 20, "\(kept)")
  }

  @Test func ofRequests() {
    isSame(
      Explorer(initialState: Search.State(), reduce: Search.reduce, connect: Search.connect)
        .userActions { _ in [.queryChanged("a"), .queryChanged("ab"), .queryChanged("abc")] }
        .outcomes(of: String.self) { [.answers(.arrived([$0])), .fails(Search.Offline())] }
        .always("checked") { _ in true })
  }

  @Test func ofRequestsWithinPolicies() {
    let effect = Search.SearchEffect().debounced(for: .seconds(1), clock: TestClock()).limited(to: 1)
    isSame(
      Explorer(
        initialState: Search.State(), reduce: Search.reduce, connect: { $0.connect(effect) }
      )
      .userActions { _ in [.queryChanged("a"), .queryChanged("ab"), .queryChanged("abc")] }
      .outcomes(of: String.self) { [.answers(.arrived([$0])), .fails(Search.Offline())] }
      .never("three results") { $0.results.count > 2 })
  }
}
