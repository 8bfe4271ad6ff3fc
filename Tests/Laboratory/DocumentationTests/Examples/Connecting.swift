import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct ConnectingExamples {
  private struct NotFound: Error {}

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

  @Test("what hangs on an optional slice lives while it is present")
  func present() async {
    // Store.connectIfPresent
    store.connectIfPresent(\.detail, action: AppAction.detail) { detail in
      detail.connect(DetailEffect())
    }
    store.dispatch(.detailChosen)
    await store.settled()
    #expect(store.state.detail?.text == "the text")
  }

  @Test("what hangs on a condition lives while it holds")
  func condition() async {
    // ConnectingComponents
    store.connectIfPresent(\.activeSync, action: AppAction.sync) { sync in
      sync.connect(SyncEffect())
    }
    store.dispatch(.sync(true))
    await store.settled()
    #expect(store.state.sync.isDue)
    store.dispatch(.signedIn(true))
    await store.settled()
    #expect(!store.state.sync.isDue)
  }

  @Test("an effect made of closures is connected as it is shown")
  func effectValue() async {
    // Effect
    let search = Effect { [client] (query: String, send: Send<Search.Action>) in
      await send(.arrived(client.results(for: query)))
    }
    store.connect(
      search.debounced(for: .milliseconds(300)), when: \.search.pending, action: AppAction.search)
    #expect(store.activity.entries.count == 1)
    _ = await store.shutdown()
  }

  @Test("an effect made of closures says what its failure becomes")
  func failingEffectValue() async {
    @Sendable func lookUp(_ query: String) async throws(NotFound) -> [String] { throw NotFound() }
    // Effect, with a failure
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    let search = Effect(failure: { (_: NotFound, query) in .arrived(["\(query) was not found"]) }) {
      (query: String, send: Send<Search.Action>) async throws(NotFound) in
      await send(.arrived(try await lookUp(query)))
    }
    let retried = search.retried(times: 1, by: Backoff(first: .zero), action: { _, _ in .gaveUp("once") })
    store.connect(retried, when: { $0.search.pending }, action: AppAction.search)
    store.dispatch(.search(.queryChanged("swift")))
    await store.settled()
    #expect(store.state.search.results == ["swift was not found"])
  }

  private struct MessageLog: Sendable {
    let messages = Recorder<String>()
    func error(_ message: String) { messages.append(message) }
  }

  private struct ClockEffect: EffectComponent {
    func requests(in state: Int) -> Set<Int> { [state] }
    func run(_ request: Int, send: Send<Int>) async {}
  }

  private struct SaveEffect: EffectComponent {
    func requests(in state: Int) -> Set<Int> { [state] }
    func run(_ request: Int, send: Send<Int>) async {}
  }

  @Test("connections end together, and mistakes are reported to a log")
  func bag() async {
    let log = MessageLog()
    // StoreDiagnostics
    let store = Store(
      initialState: 0, options: StoreOptions(diagnostics: StoreDiagnostics { log.error("\($0)") }),
      reduce: { (count: inout Int, step: Int) in count += step })
    // ConnectionBag
    let bag = ConnectionBag()
    store.connect(ClockEffect()).store(in: bag)
    store.connect(SaveEffect()).store(in: bag)
    bag.disconnect()
    await store.settled()
    #expect(store.activity.entries.isEmpty)
    #expect(log.messages.values.allSatisfy { $0.contains(" has waited for a second, ") })
  }
}

@Suite struct ReducerExamples {
  enum Counter {
    struct State: Equatable, Sendable { var count = 0 }
    enum Action: Sendable { case incremented }

    static func reduce(_ state: inout State, _ action: Action) { state.count += 1 }
  }

  struct App: Equatable { var counter = Counter.State() }

  enum AppAction {
    case counter(Counter.Action)
    case reset
  }

  @Test("an app's reducer hands each action to its feature")
  func composed() {
    // Reducer
    func reduceApp(_ state: inout App, _ action: AppAction) {
      switch action {
      case .counter(let action): Counter.reduce(&state.counter, action)
      case .reset: state = App()
      }
    }
    var state = App()
    reduceApp(&state, .counter(.incremented))
    #expect(state.counter.count == 1)
    reduceApp(&state, .reset)
    #expect(state == App())
  }
}

@Suite struct OneLineEffectExamples {
  /// A list whose rows are loaded, and a screen that shows one page or none.
  struct Reader: Equatable, Sendable {
    struct Row: Equatable, Sendable {
      var id: Int
      var text: String?
      var isWaiting: Bool { text == nil }
    }
    enum Screen: Equatable, Sendable {
      case list
      case reading(Page)
    }
    struct Page: Equatable, Sendable { var text: String? }

    var rows: [Row] = []
    var screen = Screen.list
  }

  enum AppAction: Sendable {
    case loaded(Int, String)
    case opened
    case page(String)
  }

  static func reduce(_ state: inout Reader, _ action: AppAction) {
    switch action {
    case .loaded(let id, let text):
      for index in state.rows.indices where state.rows[index].id == id { state.rows[index].text = text }
    case .opened: state.screen = .reading(Reader.Page())
    case .page(let text): if case .reading = state.screen { state.screen = .reading(Reader.Page(text: text)) }
    }
  }

  struct PageEffect: EffectComponent {
    func requests(in state: Reader.Page) -> Set<String> { state.text == nil ? ["page"] : [] }
    func run(_ request: String, send: Send<String>) async { await send("the \(request)") }
  }

  @Test("a one-line effect serves a set of requests")
  func requests() async {
    let rows = (1...2).map { Reader.Row(id: $0) }
    let store = Store(initialState: Reader(rows: rows), on: .immediate, reduce: Self.reduce)
    @Sendable func text(of id: Int) async -> String { "text \(id)" }
    // Store.connect(when:)
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connect(when: { Set($0.rows.filter(\.isWaiting).map(\.id)) }) { id, send in
      await send(.loaded(id, text(of: id)))
    }
    await store.settled()
    #expect(store.state.rows.map(\.text) == ["text 1", "text 2"])
  }

  @Test("what hangs on a case of an enum lives while the state is in that case")
  func cases() async {
    let store = Store(initialState: Reader(), on: .immediate, reduce: Self.reduce)
    // Store.connectIfPresent(computed:)
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connectIfPresent(
      computed: { if case .reading(let page) = $0.screen { page } else { nil } }, action: AppAction.page
    ) { page in
      page.connect(PageEffect())
    }
    store.dispatch(.opened)
    await store.settled()
    #expect(store.state.screen == .reading(Reader.Page(text: "the page")))
  }
}
