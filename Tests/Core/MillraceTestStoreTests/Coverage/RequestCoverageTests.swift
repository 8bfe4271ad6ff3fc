import Millrace
import MillraceEffects
import MillraceTestStore
import MillraceTesting
import Testing

@testable import MillraceCoverage

@Suite struct RequestCoverageTests {
  /// What a store with the feature has seen after `body`.
  private func coverage(_ body: (TestStore<Feature.State, Feature.Action>) -> Void) async -> RequestCoverage {
    let store = Feature.testStore()
    store.exhaustivity = .none
    body(store)
    await store.finish()
    return store.coverage
  }

  @Test func whatCameOfEachRequestIsSeen() async {
    let coverage = await coverage { store in
      store.send(.queryChanged("a"))
      store.send(.queryChanged("b"))
      store.answer("b", with: .arrived(["b"]))
      store.send(.queryChanged("c"))
      store.fail("c", with: Feature.Offline())
    }
    let search = coverage.effects.first { $0.effect == "Feature.SearchEffect" }
    #expect(
      search?.text == """
        Feature.SearchEffect (String)
          String: 3 runs; sent Feature.Action.arrived, Feature.Action.failed; answered 1; failed 1; withdrawn 1
        """)
    #expect(
      coverage.effects.first { $0.effect == "clock" }?.text == """
        clock (Feature.Tick)
          missing: no request of it ever ran
        """)
  }

  @Test func whatIsMissingIsTold() {
    var effect = EffectCoverage(
      effect: "Load", request: "Page", failure: "Offline", cases: ["Page.first", "Page.next"])
    effect.change("Page.first") {
      $0.runs = 1
      $0.finished = 1
    }
    #expect(
      effect.missing == [
        "Page.next was never asked for", "Page.first never sent anything",
        "Page.first never failed, and can throw Offline", "Page.first was never stopped",
      ])
    effect.change("Page.first") { $0.disconnected = 1 }
    #expect(!effect.missing.contains("Page.first was never stopped"))
  }

  @Test("the five endings of a run are counted apart, and the end of a test is none of them")
  func endings() async {
    struct State: Equatable, Sendable { var load: Int? }
    enum Action: Sendable {
      case load(Int)
      case loaded
    }
    struct Load: EffectComponent {
      func requests(in state: State) -> Set<Int> { state.load.map { [$0] } ?? [] }
      func run(_ request: Int, send: Send<Action>) async throws(Feature.Offline) {}
      func action(for failure: Feature.Offline, of request: Int) -> Action { .loaded }
    }
    let store = TestStore<State, Action>(
      initialState: State(),
      reduce: { state, action in
        if case .load(let request) = action { state.load = request } else { state.load = nil }
      },
      connect: { store in
        store.connect(Load(), named: "load")
        store.connectIfPresent(\.load, action: { (action: Action) in action }) { load in
          load.connect(when: { Optional($0) }, named: "inner") { _, _ in }
        }
      })
    store.exhaustivity = .none
    store.send(.load(1))
    store.answer(1, named: "load")
    store.send(.load(2))
    store.answer(2, named: "load", with: .loaded)
    store.send(.load(3))
    store.fail(3, named: "load", with: Feature.Offline())
    store.send(.load(4))
    store.send(.loaded)
    store.send(.load(5))
    await store.finish()
    let effects = store.coverage.effects
    #expect(
      effects.map(\.text) == [
        """
        load (Int)
          Int: 5 runs; sent RequestCoverageTests.Action.loaded; finished 1; answered 1; failed 1; withdrawn 1
        """,
        """
        inner (Int)
          Int: 5 runs; withdrawn 1; disconnected 3
          missing: Int never sent anything
        """,
      ])
  }

  @Test("all that is counted is added up when files are merged")
  func merging() {
    var kind = KindCoverage()
    kind.runs = 1
    kind.finished = 2
    kind.answered = 3
    kind.failed = 4
    kind.withdrawn = 5
    kind.disconnected = 6
    kind.sent = ["a"]
    kind.merge(kind)
    #expect(
      kind.text == "2 runs; sent a; finished 4; answered 6; failed 8; withdrawn 10; disconnected 12")
  }

  @Test("effects without a name are told apart by place and by type of request, others by name and type")
  func identity() {
    func effect(_ name: String, at place: String?, _ request: String) -> EffectCoverage {
      EffectCoverage(effect: name, at: place, request: request, failure: nil, cases: nil)
    }
    var coverage = RequestCoverage()
    let effects = [
      effect("effect", at: "A.swift:1", "Int"), effect("effect", at: "A.swift:2", "Int"),
      effect("effect", at: "A.swift:2", "String"), effect("load", at: nil, "Int"),
      effect("load", at: nil, "String"),
    ]
    for effect in effects + effects { coverage.connected(effect) }
    #expect(coverage.effects == effects)
    for (index, effect) in effects.enumerated() { coverage.change(effect, "kind") { $0.runs += index + 1 } }
    coverage.merge(coverage)
    #expect(coverage.effects.map { $0.kinds["kind"]?.runs } == [2, 4, 6, 8, 10])
    let report = coverage.report.split(separator: "\n").map(String.init)
    #expect(report.first == "effect at A.swift:1 (Int)")
    var reversed = RequestCoverage()
    for effect in coverage.effects.reversed() { reversed.connected(effect) }
    #expect(reversed.report == coverage.report)
  }

  @Test func casesAreListedWhereTheyCanBe() async {
    enum Page: CaseIterable, Hashable, Sendable { case first, next }
    let store = TestStore(
      initialState: Set<Page>(), reduce: { (_: inout Set<Page>, _: Int) in },
      connect: { store in store.connect(when: { $0 }, named: "load") { _, _ in } })
    await store.finish()
    let cases = store.coverage.effects.first?.cases
    #expect(cases?.count == 2)
    #expect(cases?.last?.hasSuffix("Page.next") == true)
  }

  @Test("an effect that waits on a test clock is the one that waits on the program's clock")
  func clocks() async {
    func coverage(_ clock: some Clock<Duration>) async -> RequestCoverage {
      let search = Feature.SearchEffect().retried(times: 1, clock: clock, action: { _, _ in .ticked })
      let store = TestStore(
        initialState: Feature.State(), reduce: Feature.reduce,
        connect: { $0.connect(search.debounced(for: .seconds(1), clock: clock), to: \.query) })
      await store.finish()
      return store.coverage
    }
    var merged = await coverage(ContinuousClock())
    merged.merge(await coverage(TestClock()))
    #expect(merged.effects.map(\.effect) == ["DebouncedEffect<RetriedEffect<Feature.SearchEffect>>"])
  }

  @Test func aFileThatCannotBeWrittenIsNamed() {
    #expect {
      try RequestCoverage().append(toFile: "/no/such/folder/file")
    } throws: { error in
      "\(error)" == "/no/such/folder/file: No such file or directory"
    }
  }
}
