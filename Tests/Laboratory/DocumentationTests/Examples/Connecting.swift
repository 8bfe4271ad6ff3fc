import Millrace
import MillraceTesting
import Testing

@Suite struct ConnectingExamples {
  private struct ToolbarProps: Equatable, Sendable {
    var title: String
    var canSearch: Bool
  }

  private let store = Store(initialState: App(), on: .immediate, reduce: reduceWholeApp)
  private let client = SearchClient()

  @Test("a component is connected to props that are computed")
  func computed() async throws {
    let toolbar = RecordingComponent<ToolbarProps>()
    // ConnectingComponents
    store.connect(toolbar) { app in
      ToolbarProps(title: "\(app.counter.count)", canSearch: app.isSignedIn)
    }
    #expect(try await toolbar.received.values(atLeast: 1) == [.init(title: "0", canSearch: false)])
  }

  @Test("a one-line effect sends actions of its own feature and says what its failure becomes")
  func oneLine() async {
    @Sendable func lookUp(_ query: String) async throws -> [String] { throw CancellationError() }
    // Store.connect(when:failure:)
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connect(
      when: \.search.pending, failure: { _, query in .search(.arrived(["\(query) was not found"])) }
    ) { query, send in
      await send(.search(.arrived(try await lookUp(query))))
    }
    store.dispatch(.search(.queryChanged("swift")))
    await store.settled()
    #expect(store.state.search.results == ["swift was not found"])
  }

  @Test("a connection ends, and what it ran has returned")
  func ended() async {
    // EndingAStore
    let connection = store.connect(SearchEffect(client: client), to: \.search, action: AppAction.search)
    connection.disconnect()
    await connection.finished()
    store.dispatch(.search(.queryChanged("swift")))
    await store.settled()
    #expect(store.state.search.results == [])
  }

  @Test("an action is sent and its fate is known")
  func sent() async {
    // ConnectingComponents
    store.dispatch(.counter(.incremented))
    let delivery = await store.send(.counter(.incremented))
    #expect(delivery == .reduced)
    #expect(store.state.counter.count == 2)
  }

  @Test("a store shuts down and says what has not returned")
  func shutdown() async {
    // EndingAStore
    let report = await store.shutdown(graceful: .seconds(2), hard: .seconds(5))
    if !report.isClean { print(report) }
    #expect(report.isClean)
    #expect(await store.send(.reset) == .refused)
  }
}
