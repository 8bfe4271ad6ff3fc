import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// A program that goes on for ever without what is sought.
@Suite struct ExplorerLivelockTests {
  struct State: Hashable, Sendable {
    var attempt: Int? = 0
    var ticks = 0
    var isTicking = false
    var isLoaded = false
  }

  enum Action: Hashable, Sendable {
    case failed
    case loaded
    case ticked
  }

  struct Down: Error {}

  private func explorer(
    clock isTicking: Bool = false, _ outcomes: [MillraceExplorer.Outcome<Action>]
  ) -> Explorer<State, Action> {
    Explorer(
      initialState: State(isTicking: isTicking),
      reduce: { state, action in
        switch action {
        case .failed: state.attempt = state.attempt.map { ($0 + 1) % 2 }
        case .loaded: (state.attempt, state.isLoaded) = (nil, true)
        case .ticked: state.ticks = (state.ticks + 1) % 2
        }
      },
      connect: { store in
        let failure = { @Sendable (_: Down, _: Int) in Action.failed }
        store.connect(when: \.attempt, failure: failure, named: "load") { _, _ throws(Down) in }
        store.connect(when: { $0.isTicking ? "tick" : nil }, named: "clock") { _, _ in }
      }
    )
    .outcomes(of: Int.self) { [outcomes] _ in outcomes }
    .outcomes(of: String.self) { _ in [.sends(.ticked)] }
    .allowing(.unusedOutcomes)
  }

  @Test func aRetryThatNeverStopsIsFound() throws {
    let report = explorer([.fails(Down()), .answers(.loaded)]).eventually("it is loaded") { $0.isLoaded }
      .explore()
    let found = try #require(report.counterexamples.first)
    #expect(
      found.story == """
        eventually("it is loaded") is never reached, however long it goes on:

          at first: State(attempt: 0, ticks: 0, isTicking: false, isLoaded: false)
               in progress: 0
          1. load 0 fails with Down()
               attempt: 0 → 1
               in progress: 1
          2. load 1 fails with Down()
               attempt: 1 → 0
               in progress: 0
          and so on, from move 1 again
        """)
    #expect(found.states.first == found.states.last)
  }

  @Test func anAnswerThatMustComeIsNoLivelock() {
    let report = explorer([.answers(.loaded)]).eventually("it is loaded") { $0.isLoaded }.explore()
    #expect(report.isClean, "\(report)")
  }

  /// A clock could tick for ever before the answer comes; no run is kept waiting for ever.
  @Test func aClockBesideAnAnswerIsNoLivelock() {
    let report = explorer(clock: true, [.answers(.loaded)]).eventually("it is loaded") { $0.isLoaded }
      .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test func aClockBesideARetryHidesNothing() throws {
    let report = explorer(clock: true, [.fails(Down()), .answers(.loaded)])
      .eventually("it is loaded") { $0.isLoaded }.explore()
    let steps = try #require(report.counterexamples.first).steps
    #expect(steps.contains { if case .outcome(let outcome) = $0 { outcome.effect == "load" } else { false } })
    #expect(
      steps.contains { if case .outcome(let outcome) = $0 { outcome.effect == "clock" } else { false } })
  }

  /// A clock that ticks alone is one, if nothing else is in progress.
  @Test func aClockAloneGoesOnForEver() {
    let report = explorer(clock: true, [.answers(.failed)]).eventually("rest") { $1.isEmpty }.explore()
    #expect(report.counterexamples.count == 1)
  }

  /// A run that is not in progress all along need not act in the cycle, which then leads to where it is not.
  @Test func aRunThatIsStoppedInTheCycleHidesNothing() throws {
    let report = Explorer(
      initialState: 0,
      reduce: { (state: inout Int, action: String) in
        switch action {
        case "step": state = state % 3 + 1
        case "back": if state == 2 { state = 1 }
        default: state = 9
        }
      },
      connect: { store in
        store.connect(when: { (1...3).contains($0) ? "clock" : nil }, named: "clock") { _, _ in }
        store.connect(when: { $0 == 1 || $0 == 2 ? 7 : nil }, named: "load") { _, _ in }
      }
    )
    .userActions { $0 == 0 ? ["step"] : [] }
    .outcomes(of: String.self) { _ in [.sends("step"), .sends("back")] }
    .outcomes(of: Int.self) { _ in [.answers("load")] }
    .eventually("loaded") { $0 == 9 }
    .explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.states == [0, 1, 2, 3, 1])
    #expect(found.story.hasSuffix("\n  and so on, from move 2 again"), "\(found)")
  }

  @Test func theUserAloneMakesNoLivelock() {
    let report = Explorer(initialState: false, reduce: { (isOn: inout Bool, _: Int) in isOn.toggle() })
      .userActions { _ in [0] }.eventually("never") { _ in false }.explore()
    #expect(report.isClean, "\(report)")
  }

  /// A poll that comes by what is sought goes on, and is right.
  @Test func aPollThatReachesThePropertyIsNone() {
    let polled = Fetch.explorer(Fetch.FetchEffect().polled(every: .seconds(5)), reduce: Fetch.pollingReduce)
    #expect(polled.eventually("polled") { !$0.log.isEmpty }.explore().isClean)
    #expect(!polled.eventually("stopped") { $0.wanted.isEmpty }.explore().isClean)
  }

  /// A retry with a backoff goes round through time that passes.
  @Test func timesArePartsOfACycle() throws {
    let effect = Fetch.retried(Fetch.FetchEffect(), times: .max)
    let report = Fetch.explorer(
      effect, { _ in [.fails(Fetch.Problem.busy(.seconds(1)))] },
      reduce: { state, action in if case .retrying = action { state.log = ["again"] } }
    )
    .eventually("given up") { $0.wanted.isEmpty }.explore(depth: 6)
    #expect(report.gaps.contains(.depth) || !report.counterexamples.isEmpty, "\(report)")
  }
}
