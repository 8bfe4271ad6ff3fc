import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct IsolatedRunExamples {
  @Test("a plan says what starts and what stops")
  func plan() {
    let effect = SearchEffect(client: SearchClient())
    // RequestPlan, EffectComponent.plan(from:to:)
    let plan = effect.plan(from: Search.State(query: "s"), to: Search.State(query: "swift"))
    #expect(plan == RequestPlan(starts: ["swift"], stops: ["s"]))
    #expect(plan.description == "stops \"s\"\nstarts \"swift\"")
    // EffectComponent.plan(connectingTo:)
    #expect(effect.plan(connectingTo: Search.State(query: "swift")) == RequestPlan(starts: ["swift"]))
  }

  @Test("another city stops the lookup of the one before")
  func cities() {
    // AGENTS
    let effect = Weather.ForecastEffect(service: Almanac())
    let plan = effect.plan(from: Weather.State(city: "Cairo"), to: Weather.State(city: "Bergen"))
    #expect(plan == RequestPlan(starts: ["Bergen"], stops: ["Cairo"]))
    let known = Weather.State(city: "Bergen", forecast: "rain")
    #expect(effect.plan(from: Weather.State(city: "Bergen"), to: known) == RequestPlan(stops: ["Bergen"]))
  }

  @Test("a run has an outcome")
  func outcome() async {
    let effect = Weather.ForecastEffect(service: Almanac())
    // RunOutcome, EffectComponent.outcome(of:)
    let outcome = await effect.outcome(of: "Bergen")
    #expect(outcome == RunOutcome(sent: [.forecastArrived("rain")]))
  }

  @Test("a run fails")
  func failure() async {
    // Testing
    let effect = Weather.ForecastEffect(service: Almanac())
    #expect(await effect.outcome(of: "Bergen") == RunOutcome(sent: [.forecastArrived("rain")]))
    #expect(await effect.outcome(of: "Atlantis") == RunOutcome(end: .failed(.unknownCity)))
  }

  @Test("a run waits at a test clock")
  func clock() async {
    // IsolatedRun
    let clock = TestClock()
    let run = SearchEffect(client: SearchClient()).debounced(for: .seconds(1), clock: clock).begin("swift")
    await run.settle()
    #expect(run.outcome == RunOutcome(end: .waiting))
    await run.advance(clock, by: .seconds(1))
    #expect(run.outcome == RunOutcome(sent: [.arrived(["swift.org"])]))
  }

  @Test("a run is begun and settles")
  func begun() async {
    let effect = SearchEffect(client: SearchClient())
    // EffectComponent.begin(_:)
    let run = effect.begin("swift")
    await run.settle()
    #expect(run.hasEnded)
  }

  @Test("a component gets props without a state")
  func props() async {
    // ComponentHarness
    let log = Log()
    let harness = ComponentHarness(log, 0)
    await harness.settle()
    harness.set(1)
    await harness.settle()
    #expect(await log.lines == ["count is 0", "count is 1"])
  }
}
