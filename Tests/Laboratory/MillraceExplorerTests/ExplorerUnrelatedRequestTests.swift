import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// A number that `comparing:` leaves out, and that a request carries, does not make states differ, whatever policies other
/// effects have.
@Suite struct ExplorerUnrelatedRequestTests {
  struct State: Equatable, Sendable {
    var isOn = false
    var round = 0
    var isSaved = true
  }

  enum Action: Sendable {
    case toggled
    case saved
    case seen(Int)
  }

  struct SavingEffect: EffectComponent {
    typealias Action = ExplorerUnrelatedRequestTests.Action
    func id(of request: String) -> String { request }
    func requests(in state: State) -> Set<String> { state.isSaved ? [] : ["save"] }
    func run(_ request: String, send: Send<Action>) async throws(Failed) {}
    func action(for failure: Failed, of request: String) -> Action { .saved }
  }
  struct Failed: Error {}

  static let clock = TestClock()
  static let second = Duration.seconds(1)

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .toggled:
      state.isOn.toggle()
      state.round += 1
      state.isSaved = false
    case .saved: state.isSaved = true
    case .seen: break
    }
  }

  private func states(_ connect: @escaping @Sendable (Store<State, Action>) -> Void) -> Int {
    let explorer = Explorer<State, Action>(
      initialState: State(), comparing: { state, _ in [state.isOn, state.isSaved] }, reduce: Self.reduce,
      connect: { store in
        connect(store)
        store.connect(when: { Optional($0.round) }, named: "round") { _, _ in }
      })
    let report =
      explorer
      .userActions { _ in [.toggled] }
      .outcomes(of: String.self) { _ in [.answers(Action.saved)] }
      .outcomes(of: Int.self) { _ in [.answers()] }
      .outcomes(of: Progress.self) { _ in [.sends(Action.seen(1)).then(.answers(Action.saved))] }
      .always("checked") { _ in true }
      .explore(states: 300)
    #expect(report.bounds.isEmpty, "\(report)")
    return report.counts.states
  }

  @Test(arguments: EachPolicy.allCases) func thereAreFewStates(policy: EachPolicy) {
    let count = states { policy.connect(SavingEffect(), sending: .saved, to: $0) }
    #expect(count < (policy == .none ? 12 : 60))
  }

  /// The unrelated request itself may wait for a policy, together with others.
  @Test func theRequestMayBeWithinAPolicy() {
    let limit = ConcurrencyLimit(1)
    let count = states { store in
      store.connect(SavingEffect().limited(by: limit))
      store.connect(
        RoundEffect().limited(by: limit).timingOut(after: Self.second, clock: Self.clock) { .seen($0) })
    }
    #expect(count < 100)
  }

  struct RoundEffect: EffectComponent {
    typealias Action = ExplorerUnrelatedRequestTests.Action
    func requests(in state: State) -> Set<Int> { [state.round, -1 - state.round] }
    func run(_ request: Int, send: Send<Action>) async {}
  }

  /// Values that are handed over may be numbered without end, too.
  @Test func theRequestMayBeHandedOver() {
    let count = states { store in
      store.connect(SavingEffect().limited(to: 1))
      store.connect(FollowingEffect())
    }
    #expect(count < 100)
    let within = states { store in
      store.connect(SavingEffect())
      store.connect(FollowingEffect().limited(to: 1))
    }
    #expect(within < 100)
  }

  struct FollowingEffect: HandoverEffectComponent {
    typealias Action = ExplorerUnrelatedRequestTests.Action
    func id(of round: Int) -> String { "round" }
    func requests(in state: State) -> Set<Int> { [state.round] }
    func run(following rounds: RequestUpdates<Int>, send: Send<Action>) async {}
  }

  /// Which of two requests is served is no matter of numbers where what is compared tells the two apart.
  @Test func aRequestThatMattersIsNotTakenForAnother() {
    struct Both: EffectComponent {
      typealias State = Int
      typealias Action = String
      func requests(in state: Int) -> Set<String> { state == 0 ? ["A", "a"] : ["a", "b"] }
      func run(_ request: String, send: Send<String>) async {}
    }
    let report = Explorer<Int, String>(
      initialState: 0, comparing: { state, running in running.contains("a") },
      reduce: { state, action in state = action == "next" ? 1 : state },
      connect: { $0.connect(Both().limited(to: 1)) }
    )
    .userActions { $0 == 0 ? ["next"] : [] }
    .outcomes(of: String.self) { [.answers($0)] }
    .always("checked") { _ in true }
    .explore()
    #expect(report.bounds.isEmpty && report.counts.states == 7, "\(report)")
  }

  /// An outcome that is under way does not either.
  @Test func anOutcomeUnderWayDoesNotEither() {
    let count = states { store in
      store.connect(when: { $0.isSaved ? nil : Progress() }, named: "progress") { _, _ in }
    }
    #expect(count < 60)
  }
  struct Progress: Hashable, Sendable {}
}
