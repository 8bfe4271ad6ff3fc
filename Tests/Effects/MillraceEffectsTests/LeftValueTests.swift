import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

/// A value that the effect within a policy has not taken when it returns begins another run.
@Suite struct LeftValueTests {
  struct Failed: Error {}

  struct State: Hashable, Sendable {
    var text = 1
    var log: [String] = []
  }

  enum Action: Sendable {
    case edited(Int)
    case stored(Int)
    case failed(Int)
  }

  /// Serves the first value of each run, and takes no other.
  struct SavingEffect: HandoverEffectComponent {
    typealias Action = LeftValueTests.Action
    let gate: Gate
    var fails = false

    func id(of text: Int) -> String { "text" }
    func requests(in state: State) -> Set<Int> { [state.text] }
    func run(following texts: RequestUpdates<Int>, send: Send<Action>) async throws(Failed) {
      guard let text = await texts.makeAsyncIterator().next() else { return }
      try? await gate.wait()
      if fails, text == 1 { throw Failed() }
      await send(.stored(text))
    }
    func action(for failure: Failed, of text: Int) -> Action { .failed(text) }
  }

  static let policies: [String] = [
    "none", "retried", "supervised", "hedged", "falling back", "limited", "timing out", "delayed",
    "debounced",
    "throttled", "guarded",
  ]

  @Test(arguments: policies) func isServedByAnotherRun(_ policy: String) async throws {
    #expect(await log(policy, fails: false) == ["stored 1", "stored 2"])
  }

  /// The failure is that of the value that the effect within has taken.
  @Test(arguments: policies.filter { $0 != "falling back" })
  func isServedAfterAFailure(_ policy: String) async throws {
    #expect(await log(policy, fails: true) == ["failed 1", "stored 2"])
  }

  private func log(_ policy: String, fails: Bool) async -> [String] {
    let gate = Gate()
    let store = Store<State, Action>(initialState: State(), on: .immediate) { state, action in
      switch action {
      case .edited(let text): state.text = text
      case .stored(let text): state.log.append("stored \(text)")
      case .failed(let text): state.log.append("failed \(text)")
      }
    }
    connect(SavingEffect(gate: gate, fails: fails), within: policy, to: store)
    try? await gate.waiters(atLeast: 1)
    store.dispatch(.edited(2))
    gate.open()
    await store.settled()
    return store.state.log
  }

  private func connect(_ effect: SavingEffect, within policy: String, to store: Store<State, Action>) {
    let (clock, second) = (TestClock(), Duration.seconds(1))
    switch policy {
    case "retried": store.connect(effect.retried(times: 0, clock: clock) { .failed($1) })
    case "supervised":
      store.connect(effect.supervised(restarts: 0, within: second, clock: clock) { .failed($1) })
    case "hedged": store.connect(effect.hedged(after: second, atMost: 0, clock: clock))
    case "falling back": store.connect(effect.fallingBack(to: effect))
    case "limited": store.connect(effect.limited(to: 1))
    case "timing out": store.connect(effect.timingOut(after: second, clock: clock) { .failed($0) })
    case "delayed": store.connect(effect.delayed(by: .zero, clock: clock))
    case "debounced": store.connect(effect.debounced(for: .zero, clock: clock))
    case "throttled": store.connect(effect.throttled(for: .zero, clock: clock))
    case "guarded":
      let breaker = CircuitBreaker(failureThreshold: 2, resetTimeout: second, clock: clock)
      store.connect(effect.guarded(by: breaker) { .failed($1) })
    default: store.connect(effect)
    }
  }
}
