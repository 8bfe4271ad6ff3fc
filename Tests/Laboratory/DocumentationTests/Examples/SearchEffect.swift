import Millrace
import MillraceTesting
import Testing

enum Search {
  struct State: Equatable, Sendable {
    var query = ""
    var results: [String] = []
    var pending: String? { query.isEmpty ? nil : query }
  }

  enum Action: Equatable, Sendable {
    case queryChanged(String)
    case arrived([String])
    case gaveUp(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .queryChanged(let query): state.query = query
    case .arrived(let results): state.results = results
    case .gaveUp(let query): state.results = ["\(query) took too long"]
    }
  }
}

struct SearchClient: Sendable {
  func results(for query: String) async -> [String] { ["\(query).org"] }
}

// EffectComponent
struct SearchEffect: EffectComponent {
  let client: SearchClient
  func requests(in state: Search.State) -> Set<String> {
    state.query.isEmpty ? [] : [state.query]
  }
  func run(_ query: String, send: Send<Search.Action>) async {
    await send(.arrived(client.results(for: query)))
  }
}

@Suite struct SearchEffectExamples {
  private let client = SearchClient()

  @Test("a store is made, an effect connected and an action dispatched")
  func store() async {
    // Store
    let store = Store(initialState: Search.State(), reduce: Search.reduce)
    store.connect(SearchEffect(client: client))
    store.dispatch(.queryChanged("swift"))
    await store.settled()
    #expect(store.state.results == ["swift.org"])
  }

  @Test("an effect is connected to a slice, and a scope is derived")
  func slice() async {
    let store = Store(initialState: App(), reduce: reduceWholeApp)
    // Store.connect
    store.connect(SearchEffect(client: client), to: \.search, action: AppAction.search)
    // Store.scope
    let search = store.scope(\.search, action: AppAction.search)
    search.dispatch(.queryChanged("swift"))
    await store.settled()
    #expect(search.state.results == ["swift.org"])
  }

  @Test("a one-line effect serves a request")
  func oneLine() async {
    let store = Store(initialState: App(), reduce: reduceWholeApp)
    // Store.connect(when:)
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    store.connect(when: { $0.search.pending }) { [client] query, send in
      await send(.search(.arrived(client.results(for: query))))
    }
    store.dispatch(.search(.queryChanged("swift")))
    await store.settled()
    #expect(store.state.search.results == ["swift.org"])
  }

  @Test("a send is made by hand")
  func sendByHand() async {
    // Send
    let (sent, sink) = AsyncStream.makeStream(of: Search.Action.self)
    let send = Send<Search.Action> { action in
      sink.yield(action)
      return .reduced
    }
    await SearchEffect(client: client).run("swift", send: send)
    #expect(await sent.first { _ in true } == .arrived(["swift.org"]))
  }

  @Test("what an effect sends is recorded")
  func recorded() async {
    // Send.recording
    let sent = Recorder<Search.Action>()
    await SearchEffect(client: client).run("swift", send: .recording(into: sent))
    #expect(sent.values == [.arrived(["swift.org"])])
  }
}
