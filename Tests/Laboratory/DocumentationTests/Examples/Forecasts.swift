import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

// Testing
struct SlowService: WeatherService {
  let gate: Gate

  func forecast(for city: String) async throws(WeatherError) -> String {
    if city == "Bergen" { await gate.waitIgnoringCancellation() }
    return "rain in \(city)"
  }
}

// Testing
actor Headline: Component {
  private(set) var lines: [String] = []

  func update(_ forecast: String?) { lines.append(forecast ?? "no forecast") }
}

/// The forecasts of the first chapter, tested by each tool of the chapter on tests.
@Suite struct ForecastExamples {
  @Test("another city forgets the forecast")
  func reducing() {
    // Testing
    var state = Weather.State(city: "Bergen", forecast: "rain")
    Weather.reduce(&state, .cityChosen("Cairo"))
    #expect(state == Weather.State(city: "Cairo"))
  }

  @Test("a run waits at a gate")
  func run() async {
    // Testing
    let gate = Gate()
    let run = Weather.ForecastEffect(service: SlowService(gate: gate)).begin("Bergen")
    await run.settle()
    #expect(run.outcome == RunOutcome(end: .waiting))
    gate.open()
    await run.settle()
    #expect(run.outcome == RunOutcome(sent: [.forecastArrived("rain in Bergen")]))
  }

  @Test("a headline shows the forecast")
  func headline() async {
    // Testing
    let headline = Headline()
    let harness = ComponentHarness(headline, nil)
    await harness.settle()
    harness.set("rain")
    await harness.settle()
    #expect(await headline.lines == ["no forecast", "rain"])
  }

  @Test("a forecast that comes late is not shown")
  func late() async {
    // TestingTime
    let gate = Gate()
    let store = TestStore(initialState: Weather.State(), serving: .bodies, reduce: Weather.reduce) {
      Weather.connect(to: $0, service: SlowService(gate: gate))
    }
    store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
    await store.settle()  // the lookup for Bergen waits at the gate
    store.send(.cityChosen("Cairo")) { $0.city = "Cairo" }
    store.expect(stopped: "Bergen")
    await store.receive(.forecastArrived("rain in Cairo")) { $0.forecast = "rain in Cairo" }
    gate.open()  // the forecast for Bergen comes after all
    await store.finish()
  }

  @Test("a test asserts only what it is about")
  func relaxed() async {
    let store = TestStore(initialState: Weather.State(), reduce: Weather.reduce) {
      Weather.connect(to: $0, service: Almanac())
    }
    // TestingAFeature
    store.exhaustivity = .none
    store.send(.cityChosen("Cairo"))
    store.send(.cityChosen("Bergen"))
    store.answer("Bergen", with: .forecastArrived("rain")) { $0.forecast = "rain" }
    await store.finish()
  }

  @Test("the difference of two states")
  func difference() {
    // Testing
    let old = Weather.State(city: "Bergen", forecast: "rain")
    print(Difference(from: old, to: Weather.State(city: "Cairo")))
    //   city: "Bergen" → "Cairo"
    //   forecast: "rain" → nil
    #expect(
      Difference(from: old, to: Weather.State(city: "Cairo")).lines == [
        #"city: "Bergen" → "Cairo""#, #"forecast: "rain" → nil"#,
      ])
  }
}
