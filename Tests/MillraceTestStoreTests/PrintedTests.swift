import Millrace
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// The tests that an explorer prints: they are in this file as they are printed, compile, and fail as the story says.
@Suite struct PrintedTests {
  enum Search {
    struct Offline: Error, Hashable {}

    struct State: Hashable, Sendable {
      var query = ""
      var isLoading = false
      var results: [String] = []
    }

    enum Action: Hashable, Sendable {
      case queryChanged(String)
      case arrived([String])
      case failed(String)
    }

    struct SearchEffect: EffectComponent {
      func requests(in state: State) -> Set<String> { state.isLoading ? [state.query] : [] }
      func run(_ query: String, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of query: String) -> Action { .failed(query) }
    }

    /// The branch of the failure is forgotten.
    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .queryChanged(let query):
        state.query = query
        state.isLoading = !query.isEmpty
      case .arrived(let results):
        state.results = results
        state.isLoading = false
      case .failed: break
      }
    }

    static func connect(to store: Store<State, Action>) { store.connect(SearchEffect()) }
  }

  private let explorer = Explorer(
    initialState: Search.State(), reduce: Search.reduce, connect: Search.connect
  )
  .userActions { _ in [.queryChanged("a"), .queryChanged("ab")] }
  .outcomes(of: String.self) { query in [.answers(.arrived(["\(query).org"])), .fails(Search.Offline())] }

  @Test func aForgottenFailure() async throws {
    let report = explorer.always("no spinner without a request") { state, running in
      !state.isLoading || !running.isEmpty
    }
    .explore()
    let printed = try #require(report.counterexamples.first).test
    #expect(try PrintedTest(printed).isWritten(), "\(printed)")
    await withKnownIssue {
      // swift-format-ignore
      let store = TestStore(
        initialState: PrintedTests.Search.State(query: "", isLoading: false, results: []),
        reduce: PrintedTests.Search.reduce, connect: { PrintedTests.Search.connect(to: $0) })
      store.exhaustivity = .none
      store.send(.queryChanged("a"))
      store.fail("a", with: PrintedTests.Search.Offline())
      // swift-format-ignore
      #expect(!(store.state == PrintedTests.Search.State(query: "a", isLoading: true, results: []) && store.running.isEmpty))
      await store.finish()
    } matching: { issue in
      "\(issue)".contains("Expectation failed")
    }
  }

  @Test func aStaleAnswer() async throws {
    var explorer = explorer.never("results of another query") { state in
      !state.isLoading && !state.results.isEmpty && state.results != ["\(state.query).org"]
    }
    explorer.fences = false
    let printed = try #require(explorer.explore().counterexamples.first).test
    #expect(try PrintedTest(printed).isWritten(), "\(printed)")
    await withKnownIssue {
      var options = StoreOptions()
      options.seams.fences = false
      // swift-format-ignore
      let store = TestStore(
        initialState: PrintedTests.Search.State(query: "", isLoading: false, results: []),
        options: options, reduce: PrintedTests.Search.reduce, connect: { PrintedTests.Search.connect(to: $0) })
      store.exhaustivity = .none
      store.send(.queryChanged("a"))
      store.send(.queryChanged("ab"))
      store.answer("a", with: .arrived(["a.org"]))
      // swift-format-ignore
      #expect(store.state != PrintedTests.Search.State(query: "ab", isLoading: false, results: ["a.org"]))
      store.answer("ab")
      await store.finish()
    } matching: { issue in
      "\(issue)".contains("Expectation failed")
    }
  }
}
