import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// A run to which values were handed over is at any of those that it may have taken.
@Suite struct ExplorerHandedValueTests {
  struct Offline: Error {}

  struct State: Hashable, Sendable {
    var text = 1
    var stored = 0
    var log: [String] = []
  }

  enum Action: Hashable, Sendable {
    case edited(Int)
    case stored(Int)
    case failed(Int)
  }

  struct SavingEffect: HandoverEffectComponent {
    typealias Action = ExplorerHandedValueTests.Action
    func id(of text: Int) -> String { "text" }
    func requests(in state: State) -> Set<Int> { state.text == state.stored ? [] : [state.text] }
    func run(following texts: RequestUpdates<Int>, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of text: Int) -> Action { .failed(text) }
  }

  /// The words of what was reduced, as far as the explorer lists outcomes.
  private func explorer(
    _ outcomes: @escaping @Sendable (Int) -> [MillraceExplorer.Outcome<Action>],
    _ connect: @escaping @Sendable (Store<State, Action>) -> Void = { $0.connect(SavingEffect()) }
  ) -> Explorer<State, Action> {
    Explorer(
      initialState: State(),
      reduce: { state, action in
        switch action {
        case .edited(let text): state.text = text
        case .stored(let text):
          state.log.append("stored \(text) of \(state.text)")
          state.stored = state.text  // the mistake: what was stored may be older
        case .failed(let text): state.log.append("failed \(text)")
        }
      }, connect: connect
    )
    .userActions { state in state.log.isEmpty && state.text < 3 ? [.edited(state.text + 1)] : [] }
    .outcomes(of: Int.self) { text, run in run.state.log.count < 3 ? outcomes(text) : [] }
  }

  private func logs(_ explorer: Explorer<State, Action>) -> Set<[String]> {
    let logs = Recorder<[String]>()
    let report = explorer.always("recorded") { state in
      logs.append(state.log)
      return true
    }.explore(depth: 8)
    #expect(report.problems.isEmpty, "\(report)")
    return Set(logs.values)
  }

  @Test func aRunThatWorksAtAnOlderValueAnswersForIt() {
    let logs = logs(explorer { [.answers(.stored($0))] })
    let first = (1...3).flatMap { newest in (1...newest).map { ["stored \($0) of \(newest)"] } }
    #expect(logs == Set([[]] + first))
  }

  /// Each policy passes on what is handed over, so that the run within may be at an older value.
  @Test(arguments: [
    "none", "retried", "timing out", "limited", "rate-limited", "debounced", "throttled", "delayed", "polled",
    "guarded", "hedged", "supervised", "falling back", "mapped",
  ])
  func withinEachPolicyAnOlderValueIsAnswered(_ policy: String) throws {
    let report = explorer({ [.sends(.stored($0))] }) { connect(policy, to: $0) }
      .never("lost") { state in
        state.log.last == "stored 1 of 2"
      }.explore(depth: 8)
    #expect(report.counterexamples.count == 1, "\(policy): \(report)")
  }

  private func connect(_ policy: String, to store: Store<State, Action>) {
    let (clock, effect) = (TestClock(), SavingEffect())
    let second = Duration.seconds(1)
    switch policy {
    case "retried": store.connect(effect.retried(times: 2, clock: clock) { .failed($1) })
    case "timing out": store.connect(effect.timingOut(after: second, clock: clock) { .failed($0) })
    case "limited": store.connect(effect.limited(to: 1))
    case "rate-limited":
      store.connect(effect.rateLimited(by: TokenBucket(capacity: 1, refilledEvery: second, clock: clock)))
    case "debounced": store.connect(effect.debounced(for: second, clock: clock))
    case "throttled": store.connect(effect.throttled(for: second, clock: clock))
    case "delayed": store.connect(effect.delayed(by: second, clock: clock))
    case "polled": store.connect(effect.polled(every: second, clock: clock))
    case "guarded":
      store.connect(
        effect.guarded(by: CircuitBreaker(failureThreshold: 2, resetTimeout: second, clock: clock)) {
          .failed($1)
        })
    case "hedged": store.connect(effect.hedged(after: second, clock: clock))
    case "supervised":
      store.connect(effect.supervised(restarts: 1, within: second, clock: clock) { .failed($1) })
    case "falling back": store.connect(effect.fallingBack(to: SavingEffect()))
    case "mapped": store.connect(effect.mapped { $0 })
    default: store.connect(effect)
    }
  }
}
