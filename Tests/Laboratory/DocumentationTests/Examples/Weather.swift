import Millrace
import MillraceTesting
import Testing

// YourFirstFeature
nonisolated enum Weather {
  struct State: Equatable, Sendable {
    var city = ""
    var forecast: String?
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case cityChosen(String)
    case retryTapped
    case forecastArrived(String)
    case forecastFailed(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .cityChosen(let city): state = State(city: city)
    case .retryTapped: state.problem = nil
    case .forecastArrived(let forecast): state.forecast = forecast
    case .forecastFailed(let problem): state.problem = problem
    }
  }
}

protocol WeatherService: Sendable {
  func forecast(for city: String) async throws(WeatherError) -> String
}

enum WeatherError: Error { case unknownCity }

extension Weather {
  struct ForecastEffect: EffectComponent {
    let service: any WeatherService

    func requests(in state: State) -> Set<String> {
      if state.city.isEmpty || state.forecast != nil || state.problem != nil { return [] }
      return [state.city]
    }

    func run(_ city: String, send: Send<Action>) async throws(WeatherError) {
      await send(.forecastArrived(try await service.forecast(for: city)))
    }

    func action(for failure: WeatherError, of city: String) -> Action {
      .forecastFailed("There is no forecast for \(city): \(failure).")
    }
  }

  static func connect(to store: Store<State, Action>, service: any WeatherService) {
    store.connect(ForecastEffect(service: service))
  }
}

/// A service that knows one city.
struct Almanac: WeatherService {
  func forecast(for city: String) async throws(WeatherError) -> String {
    guard city == "Bergen" else { throw .unknownCity }
    return "rain"
  }
}

@Suite struct WeatherExamples {
  @Test("choosing another city forgets the forecast")
  func reducing() {
    var state = Weather.State(city: "Bergen", forecast: "rain")
    Weather.reduce(&state, .cityChosen("Cairo"))
    #expect(state == Weather.State(city: "Cairo"))
  }

  @Test("a forecast is asked for until there is one, or a problem")
  func asking() {
    let effect = Weather.ForecastEffect(service: Almanac())
    #expect(effect.requests(in: Weather.State()) == [])
    #expect(effect.requests(in: Weather.State(city: "Bergen")) == ["Bergen"])
    #expect(effect.requests(in: Weather.State(city: "Bergen", forecast: "rain")) == [])
  }

  @Test("a forecast is looked up")
  func serving() async throws {
    let sent = Recorder<Weather.Action>()
    let effect = Weather.ForecastEffect(service: Almanac())
    try await effect.run("Bergen", send: .recording(into: sent))
    #expect(sent.values == [.forecastArrived("rain")])
  }

  @Test("an unknown city is a problem, until another is chosen")
  func together() async {
    let store = Store(initialState: Weather.State(), on: .immediate, reduce: Weather.reduce)
    Weather.connect(to: store, service: Almanac())

    store.dispatch(.cityChosen("Atlantis"))
    await store.settled()
    #expect(store.state.problem == "There is no forecast for Atlantis: unknownCity.")

    store.dispatch(.cityChosen("Bergen"))
    await store.settled()
    #expect(store.state == Weather.State(city: "Bergen", forecast: "rain"))
  }
}

// The feature in an app.
struct Travel: Equatable, Sendable {
  var weather = Weather.State()
  var luggage: [String] = []
}

enum TravelAction: Sendable {
  case weather(Weather.Action)
  case packed(String)
}

func reduceTravel(_ state: inout Travel, _ action: TravelAction) {
  switch action {
  case .weather(let action): Weather.reduce(&state.weather, action)
  case .packed(let thing): state.luggage.append(thing)
  }
}

@Suite struct TravelExamples {
  @Test("the feature works in a program of its own")
  func alone() async {
    // YourFirstFeature
    let store = Store(initialState: Weather.State(), reduce: Weather.reduce)
    Weather.connect(to: store, service: Almanac())
    store.dispatch(.cityChosen("Bergen"))
    let done = await store.first { $0.forecast != nil || $0.problem != nil }
    print(done?.forecast ?? done?.problem ?? "nothing")
    await store.shutdown()
    #expect(done?.forecast == "rain")
  }

  @Test("the feature works in an app as it does alone")
  func app() async {
    let store = Store(initialState: Travel(), reduce: reduceTravel)
    let weather = store.scope(\.weather, action: TravelAction.weather)
    Weather.connect(to: weather, service: Almanac())
    weather.dispatch(.cityChosen("Bergen"))
    await store.settled()
    #expect(store.state.weather.forecast == "rain")
  }
}
