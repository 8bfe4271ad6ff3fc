import Millrace
import MillraceTestStore
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

/// A metronome that ticks every five seconds while it is on.
private enum Metronome {
  struct State: Equatable, Sendable {
    var isOn = true
    var count = 0
  }

  enum Action: Equatable, Sendable { case ticked }

  static func reduce(_ state: inout State, _ action: Action) { state.count += 1 }

  static func connect(to store: Store<State, Action>, clock: any Clock<Duration>) {
    let interval = { @Sendable (state: State) in state.isOn ? 5 : nil }
    store.connect(when: interval, named: "metronome") { seconds, send in
      while (try? await clock.sleep(for: .seconds(seconds))) != nil { await send(.ticked) }
    }
  }
}

@Suite struct TestStoreExamples {
  // TestStore
  @Test func search() async {
    let store = TestStore(initialState: Search.State(), reduce: Search.reduce) {
      $0.connect(SearchEffect(client: SearchClient()))
    }
    store.send(.queryChanged("swift")) { $0.query = "swift" }
    store.answer("swift", with: .arrived(["swift.org"])) { $0.results = ["swift.org"] }
    await store.finish()
  }

  @Test("a feature is tested by hand")
  func byHand() async {
    // TestingAFeature
    let store = TestStore(initialState: Weather.State(), reduce: Weather.reduce) {
      Weather.connect(to: $0, service: Almanac())
    }
    store.send(.cityChosen("Atlantis")) { $0.city = "Atlantis" }
    store.fail("Atlantis", with: WeatherError.unknownCity) {
      $0.problem = "There is no forecast for Atlantis: unknownCity."
    }
    store.send(.cityChosen("Bergen")) { $0 = Weather.State(city: "Bergen") }
    store.answer("Bergen", with: .forecastArrived("rain")) { $0.forecast = "rain" }
    await store.finish()
  }

  @Test("a step is sent")
  func step() async {
    let store = TestStore(initialState: Tally.State(), reduce: Tally.reduce)
    // TestStore.send
    store.send(.incremented) { $0.count = 1 }
    await store.finish()
  }

  @Test("a request is in progress, and is stopped")
  func requests() async {
    let store = TestStore(initialState: Search.State(query: "swift"), reduce: Search.reduce) {
      $0.connect(SearchEffect(client: SearchClient()))
    }
    // TestStore.expect
    store.expect(running: "swift")
    store.send(.queryChanged("")) { $0.query = "" }
    store.expect(stopped: "swift")
    await store.finish()
  }

  @Test("bodies execute on a test clock")
  func time() async {
    let clock = TestClock()
    let store = TestStore(initialState: Metronome.State(), serving: .bodies, reduce: Metronome.reduce) {
      Metronome.connect(to: $0, clock: clock)
    }
    // TestStore.advance
    await store.advance(clock, by: .seconds(5))
    await store.receive(.ticked) { $0.count = 1 }
    await store.finish(running: 5)
  }
}
