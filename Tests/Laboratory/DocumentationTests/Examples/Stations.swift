import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import Testing

// TestingTime
struct StationClient: Sendable {
  var temperature: @Sendable (_ city: String) async -> Int
  var warnings:
    @Sendable (_ city: String, _ receive: @escaping @Sendable (String) async -> Void) async -> Void
}

// TestingTime
enum Station {
  struct State: Hashable, Sendable {
    var city: String?
    var temperature: Int?
    var warnings: [String] = []
  }

  enum Action: Equatable, Sendable {
    case cityChosen(String?)
    case measured(Int)
    case warned(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .cityChosen(let city): state = State(city: city)
    case .measured(let temperature): state.temperature = temperature
    case .warned(let warning): state.warnings.append(warning)
    }
  }

  static func connect(
    to store: Store<State, Action>, client: StationClient, clock: any Clock<Duration>
  ) {
    store.connect(when: \.city, named: "temperature") { city, send in
      repeat {
        await send(.measured(client.temperature(city)))
      } while (try? await clock.sleep(for: .seconds(600))) != nil
    }
    store.connect(when: \.city, named: "warnings") { city, send in
      await client.warnings(city) { await send(.warned($0)) }
    }
  }
}

// TestingTime
extension StationClient {
  static var unimplemented: StationClient {
    StationClient(
      temperature: MillraceTestStore.unimplemented("StationClient.temperature", placeholder: 0),
      warnings: MillraceTestStore.unimplemented("StationClient.warnings"))
  }
}

/// The reducer after the explorer has found its mistake.
extension Station {
  static func mended(_ state: inout State, _ action: Action) {
    switch action {
    // ExploringAFeature
    case .cityChosen(let city) where city == state.city: break
    case .cityChosen(let city): state = State(city: city)
    case .measured(let temperature): state.temperature = temperature
    case .warned(let warning): state.warnings.append(warning)
    }
  }
}

@Suite struct StationExamples {
  @Test("a temperature every ten minutes, and warnings as they come")
  func bodies() async {
    // TestingTime
    let clock = TestClock()
    let warnings = TestStream<String>()
    let client = StationClient(
      temperature: { _ in 12 },
      warnings: { _, receive in for await warning in warnings { await receive(warning) } })
    let store = TestStore(initialState: Station.State(), serving: .bodies, reduce: Station.reduce) {
      Station.connect(to: $0, client: client, clock: clock)
    }
    store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
    await store.receive(.measured(12)) { $0.temperature = 12 }
    await store.advance(clock, by: .seconds(600))
    await store.receive(.measured(12))  // which changes nothing
    warnings.send("storm")
    await store.receive(.warned("storm")) { $0.warnings = ["storm"] }
    store.send(.cityChosen(nil)) { $0 = Station.State() }
    store.expect(stopped: "Bergen", "Bergen")
    await store.finish()
  }

  @Test("equal requests of two connections are told apart by name")
  func named() async {
    // TestingTime
    let store = TestStore(initialState: Station.State(), reduce: Station.reduce) {
      Station.connect(to: $0, client: .unimplemented, clock: TestClock())
    }
    store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
    store.send(.measured(12), from: "Bergen", named: "temperature") { $0.temperature = 12 }
    store.send(.warned("storm"), from: "Bergen", named: "warnings") { $0.warnings = ["storm"] }
    store.answer("Bergen", named: "temperature", with: .measured(11)) { $0.temperature = 11 }
    await store.finish(running: "Bergen")
  }

  private func explorer(
    _ reduce: @escaping Reducer<Station.State, Station.Action>
  ) -> Explorer<Station.State, Station.Action> {
    // ExploringAFeature
    Explorer(initialState: Station.State(), reduce: reduce) {
      Station.connect(to: $0, client: .unimplemented, clock: TestClock())
    }
    .userActions { _ in [.cityChosen("Bergen"), .cityChosen(nil)] }
    .outcomes(of: String.self, from: "temperature") { _ in [.sends(.measured(-1)), .sends(.measured(12))] }
    .outcomes(of: String.self, from: "warnings") { _, run in
      run.sent.isEmpty ? [.sends(.warned("gale")).then(.sends(.warned("storm")))] : []
    }
    .never("a storm without a gale") { $0.warnings.first == "storm" }
  }

  @Test("the city is chosen again between two warnings")
  func explored() throws {
    let found = try #require(explorer(Station.reduce).explore().counterexamples.first)
    #expect(found.steps.count == 4)
    let report = explorer(Station.mended).explore()
    #expect(report.isClean, "\(report)")
  }
}
