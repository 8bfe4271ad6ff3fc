import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

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
