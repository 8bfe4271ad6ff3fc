import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

@Suite struct ExplorationExamples {
  /// A search with a spinner, all of whose outcomes are thought of.
  enum Search {
    struct State: Hashable, Sendable {
      var query: String?
      var results: [String] = []
      var isLoading = false
    }

    enum Action: Equatable, Sendable {
      case queryChanged(String)
      case cleared
      case arrived([String])
      case failed
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .queryChanged(let query): state = State(query: query, isLoading: true)
      case .cleared: state = State()
      case .arrived(let results): state = State(results: results)
      case .failed: state = State()
      }
    }

    struct Effect: EffectComponent {
      func requests(in state: State) -> Set<String> { state.query.map { [$0] } ?? [] }
      func run(_ query: String, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of query: String) -> Action { .failed }
    }

    static func connect(to store: Store<State, Action>) { store.connect(Effect()) }
  }

  /// Two searches side by side.
  enum Library {
    struct State: Hashable, Sendable {
      var books = Search.State()
      var films = Search.State()
    }

    enum Action: Equatable, Sendable {
      case books(Search.Action)
      case films(Search.Action)
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .books(let action): Search.reduce(&state.books, action)
      case .films(let action): Search.reduce(&state.films, action)
      }
    }

    static func connect(to store: Store<State, Action>) {
      Search.connect(to: store.scope(\.books, action: Action.books))
      Search.connect(to: store.scope(\.films, action: Action.films))
    }
  }

  struct Offline: Error {}

  @Test("a search is explored")
  func search() {
    // Explorer
    let report = Explorer(initialState: Search.State(), reduce: Search.reduce) { Search.connect(to: $0) }
      .userActions { _ in [.queryChanged("a"), .queryChanged("ab"), .cleared] }
      .outcomes(of: String.self) { query in [.answers(.arrived([query])), .fails(Offline())] }
      .always("no spinner without a request") { state, running in !state.isLoading || !running.isEmpty }
      .eventually("the search comes to rest") { state in !state.isLoading }
      .explore(depth: 12)
    #expect(report.isClean, "\(report)")
  }

  @Test("a forecast is explored")
  func forecast() {
    // Testing
    let report = Explorer(
      initialState: Weather.State(), comparing: { [$0.city, $0.forecast, $0.problem] },
      reduce: Weather.reduce, connect: { Weather.connect(to: $0, service: Almanac()) }
    )
    .userActions { _ in [.cityChosen("Bergen"), .cityChosen("Cairo"), .retryTapped] }
    .outcomes(of: String.self) { city in
      [.answers(.forecastArrived("rain in \(city)")), .fails(WeatherError.unknownCity)]
    }
    .always("a forecast is that of the city") { $0.forecast.map(["rain in \($0.city)"].contains) ?? true }
    .eventually("it comes to rest") { $0.city.isEmpty || $0.forecast != nil || $0.problem != nil }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("two searches are explored as parts")
  func parts() {
    // Testing, Explorer.part
    let report = Explorer(initialState: Library.State(), reduce: Library.reduce, connect: Library.connect)
      .userActions { _ in [.books(.queryChanged("a")), .books(.cleared)] }
      .userActions { _ in [.films(.queryChanged("b")), .films(.cleared)] }
      .outcomes(of: String.self, sending: Search.Action.self) { query in
        [.answers(.arrived([query])), .fails(Offline())]
      }
      .part(\.books) { if case .books = $0 { true } else { false } }
      .part(\.films) { if case .films = $0 { true } else { false } }
      .explore()
    #expect(report.isClean, "\(report)")
    #expect(
      "\(report)"
        == "Explored 9 states by 32 moves, 4 deep; parts save 16 moves, a factor of 1.5: all there are.")
  }

  @Test("a forecast with faults")
  func faults() async {
    // Testing, FaultMatrix
    let report = await FaultMatrix(
      initialState: Weather.State(), reduce: Weather.reduce,
      connect: { Weather.connect(to: $0, service: Almanac()) }
    )
    .failures(of: String.self) { _ in WeatherError.unknownCity }
    .invariant("a problem or a forecast") { $0.problem == nil || $0.forecast == nil }
    .run { store in
      store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
      store.answer("Bergen", with: .forecastArrived("rain")) { $0.forecast = "rain" }
      await store.finish()
    }
    #expect(report.isClean, "\(report)")
  }

  @Test("a forecast with crashes")
  func crashes() async {
    // Testing, CrashAnywhere
    let report = await CrashAnywhere(
      initialState: Weather.State(), reduce: Weather.reduce,
      persisting: { Weather.State(city: $0.city, forecast: $0.forecast) },
      connect: { Weather.connect(to: $0, service: Almanac()) }
    )
    .run { store in
      store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
      store.answer("Bergen", with: .forecastArrived("rain")) { $0.forecast = "rain" }
      await store.finish()
    }
    #expect(report.isClean, "\(report)")
  }
}
