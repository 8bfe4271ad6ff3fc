import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@testable import MillraceExplorer

/// The explorer finds two classic mistakes of a search in their shortest form.
@Suite struct ExplorerSearchTests {
  private func explorer(
    _ reduce: @escaping Reducer<Search.State, Search.Action> = Search.reduce
  ) -> Explorer<Search.State, Search.Action> {
    Explorer(initialState: Search.State(), reduce: reduce, connect: Search.connect)
      .userActions { _ in [.queryChanged(""), .queryChanged("a"), .queryChanged("ab")] }
      .outcomes(of: String.self) { query in [.answers(.arrived(["\(query).org"])), .fails(Search.Offline())] }
      .always("no spinner without a request", fileID: "App/SearchTests.swift", line: 12) { state, running in
        !state.isLoading || !running.isEmpty
      }
      .always("results belong to the query", fileID: "App/SearchTests.swift", line: 15) { state in
        state.isLoading || state.query.isEmpty || state.results.isEmpty
          || state.results == ["\(state.query).org"]
      }
  }

  @Test func aCorrectSearchIsClean() {
    let report = explorer(Self.carefulReduce).alwaysReachable("it comes to rest") { !$0.isLoading }.explore()
    #expect(report.isClean, "\(report)")
    #expect(report.bounds.isEmpty)
    #expect(report.description.hasSuffix(": all there are."))
  }

  /// Old results leave with a failure and with a new query.
  private static func carefulReduce(_ state: inout Search.State, _ action: Search.Action) {
    Search.reduce(&state, action)
    if case .failed = action { state.results = [] }
  }

  @Test func aForgottenFailureIsFoundInTwoMoves() throws {
    let report = explorer(Search.forgetfulReduce).explore()
    let found = try #require(report.counterexamples.first)
    #expect(
      found.story == """
        always("no spinner without a request") does not hold after 2 moves:

          at first: State(query: "", isLoading: false, results: [])
          1. the user sends .queryChanged("a")
               query: "" → "a"
               isLoading: false → true
               in progress: "a"
          2. Search.SearchEffect "a" fails with Offline()
               in progress: nothing
        """)
    #expect(
      found.test == """
        @Test func noSpinnerWithoutARequest() async {
          let store = TestStore(
            initialState: Search.State(query: "", isLoading: false, results: []),
            reduce: Search.reduce, connect: { Search.connect(to: $0) })
          store.exhaustivity = .none
          store.send(.queryChanged("a"))
          if store.inProgress().contains("a") { store.fail("a", with: Search.Offline()) }
          // always("no spinner without a request") at App/SearchTests.swift:12
          let holds: (Search.State, RunningRequests) -> Bool = { state, running in
            !state.isLoading || !running.isEmpty
          }
          #expect(holds(store.state, store.inProgress()))
          await store.finish()
        }
        """)
  }

  @Test func aLargeExplorationSaysHowFarItIs() {
    let counter = Explorer(
      initialState: 0, reduce: { (count: inout Int, step: Int) in count += step }, connect: { _ in }
    )
    .userActions { $0 < 24 ? [1] : [] }
    let lines = Recorder<String>()
    var search = BreadthFirst(
      Exploration(counter), depth: .max, states: 1_000, within: nil,
      progress: ExplorationProgress(interval: 10) { lines.append($0) })
    search.explore()
    let bounds =
      "Bound what grows in the state or in its requests, or give bounds to explore(depth:states:within:)."
    #expect(
      lines.values == [
        "The explorer of Int has reached 10 states by 9 moves, at depth 8. \(bounds)",
        "The explorer of Int has reached 20 states by 19 moves, at depth 18. \(bounds)",
      ])
  }
}

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
