import Millrace
import MillraceEffects
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
    await failsByExpectation {
      // swift-format-ignore
      let store = TestStore(
        initialState: PrintedTests.Search.State(query: "", isLoading: false, results: []),
        reduce: PrintedTests.Search.reduce, connect: { PrintedTests.Search.connect(to: $0) })
      store.exhaustivity = .none
      store.send(.queryChanged("a"))
      if store.inProgress().contains("a") { store.fail("a", with: PrintedTests.Search.Offline()) }
      let holds: (PrintedTests.Search.State, RunningRequests) -> Bool = { state, running in
        !state.isLoading || !running.isEmpty
      }
      #expect(holds(store.state, store.inProgress()))
      await store.finish()
    }
  }

  // MARK: Policies

  enum Upload {
    struct State: Hashable, Sendable {
      var files = ["a", "b"]
      var attempts: [String: Int] = [:]
    }

    enum Action: Hashable, Sendable {
      case done(String)
      case failed(String)
      case retrying(String, Retry<Search.Offline>)
    }

    struct UploadEffect: EffectComponent {
      func requests(in state: State) -> Set<String> { Set(state.files) }
      func run(_ file: String, send: Send<Action>) async throws(Search.Offline) {}
      func action(for failure: Search.Offline, of file: String) -> Action { .failed(file) }
    }

    /// The number of attempts is forgotten when the upload is done.
    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .done(let file), .failed(let file): state.files.removeAll { $0 == file }
      case .retrying(let file, let retry): state.attempts[file] = retry.attempt
      }
    }

    static func connect(to store: Store<State, Action>) {
      let retried = UploadEffect().retried(
        times: 1, by: Backoff(first: .milliseconds(300), jitter: 0), action: { .retrying($1, $0) })
      store.connect(retried.inSequence(), named: "upload")
    }
  }

  /// A failure that is tried again is printed as an action of a run that goes on, and waits are not printed.
  @Test func anAttemptThatIsForgotten() async throws {
    let report = Explorer(initialState: Upload.State(), reduce: Upload.reduce, connect: Upload.connect)
      .outcomes(of: String.self) { [.answers(.done($0)), .fails(Search.Offline())] }
      .always("attempts are those of files") { $0.attempts.keys.allSatisfy($0.files.contains) }
      .explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.story.contains("after 0.3 seconds, upload \"a\" begins to be served"), "\(found)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation {
      // swift-format-ignore
      let store = TestStore(
        initialState: PrintedTests.Upload.State(files: ["a", "b"], attempts: [:]),
        reduce: PrintedTests.Upload.reduce, connect: { PrintedTests.Upload.connect(to: $0) })
      store.exhaustivity = .none
      // swift-format-ignore
      if store.inProgress().contains("a") { store.send(.retrying("a", Retry(attempt: 2, failure: PrintedTests.Search.Offline(), delay: Duration(secondsComponent: 0, attosecondsComponent: 300000000000000000))), from: "a") }
      if store.inProgress().contains("a") { store.answer("a", with: .done("a")) }
      let holds: (PrintedTests.Upload.State) -> Bool = { $0.attempts.keys.allSatisfy($0.files.contains) }
      #expect(holds(store.state))
      await store.finish()
    }
  }
}
