import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Whether a run begins depends on how others have ended, as a circuit breaker says.
@Suite struct ExplorerBreakerTests {
  private typealias Listed = MillraceExplorer.Outcome<Fetch.Action>

  private let both: @Sendable (String) -> [MillraceExplorer.Outcome<Fetch.Action>] = {
    [.fails(Fetch.Problem.offline), .answers(.arrived($0))]
  }

  /// A key of which all values have one hash.
  private struct Colliding: Hashable {
    let name: String
    func hash(into hasher: inout Hasher) {}
  }

  @Test func keysWithEqualHashesHaveBreakersOfTheirOwn() {
    let breakers = CircuitBreakers { (_: Colliding) in
      CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(10))
    }
    let effect = Fetch.FetchEffect().guarded(
      by: breakers, per: { Colliding(name: $0) }, action: { _, name in .refused(name, .zero) })
    let explorer = Fetch.wanting(
      Fetch.explorer(effect) { $0 == "a" ? [.fails(Fetch.Problem.offline)] : [.answers(.arrived($0))] }, "b")
    #expect(Fetch.logs(explorer) == [["a failed", "b arrived"], ["a failed"], ["b arrived", "a failed"]])
  }

  private func guarded(
    _ effect: Fetch.FetchEffect = Fetch.FetchEffect(), failures: Int = 2
  ) -> GuardedEffect<Fetch.FetchEffect> {
    effect.guarded(by: CircuitBreaker(failureThreshold: failures, resetTimeout: .seconds(10))) {
      .refused($1, $0.retryDelay ?? .zero)
    }
  }

  /// The user wants each of these once the requests before it have ended.
  private func wanting(
    _ explorer: Explorer<Fetch.State, Fetch.Action>, _ names: String...
  ) -> Explorer<Fetch.State, Fetch.Action> {
    explorer.userActions { state in
      guard state.wanted.isEmpty else { return [] }
      return names.first { name in !state.log.contains { $0.hasPrefix("\(name) ") } }.map { [.want($0)] }
        ?? []
    }
  }

  @Test func failuresInARowOpenIt() {
    let explorer = wanting(Fetch.explorer(guarded(), both), "b", "c", "d")
    #expect(
      Fetch.story(explorer, to: "a failed", "b failed", "c refused") == [
        "1. fetch \"a\" fails with .offline", "2. the user sends .want(\"b\")",
        "3. fetch \"b\" fails with .offline", "4. the user sends .want(\"c\")",
        "5. at the same time, fetch \"c\" answers .refused(\"c\", 10.0 seconds)",
      ])
    #expect(
      Fetch.story(explorer, to: "a failed", "b failed", "c arrived") == [
        "1. fetch \"a\" fails with .offline", "2. the user sends .want(\"b\")",
        "3. fetch \"b\" fails with .offline", "4. 10.0 seconds pass", "5. the user sends .want(\"c\")",
        "6. fetch \"c\" answers .arrived(\"c\")",
      ])
    let logs = Fetch.logs(explorer)
    // A run that goes well in between begins the count anew, and so does a trial.
    #expect(!logs.contains { $0.prefix(3) == ["a failed", "b arrived", "c refused"] })
    #expect(logs.contains(["a failed", "b arrived", "c failed", "d failed"]))
    #expect(!logs.contains(["a failed", "b arrived", "c failed", "d refused"]))
    #expect(logs.contains(["a failed", "b failed", "c arrived", "d failed"]))
    #expect(!logs.contains(["a failed", "b failed", "c arrived", "d refused"]))
    #expect(logs.contains(["a failed", "b failed", "c failed", "d refused"]))
    #expect(logs.contains(["a failed", "b failed", "c failed", "d arrived"]))
  }

  /// A trial that is stopped makes way for another.
  @Test func aStoppedRunSaysNothing() {
    let fails: @Sendable (String) -> [Listed] = { _ in [.fails(Fetch.Problem.offline)] }
    let explorer = Fetch.explorer(guarded(failures: 1), fails).userActions { state in
      if !state.log.contains("a failed") { return [] }
      if state.wanted.contains("b") { return [.drop("b")] }
      return state.wanted.isEmpty && state.log.count < 3 ? [.want("b"), .want("c")] : []
    }
    // Without the stopped trial, c would be refused until ten more seconds have passed.
    let story = Fetch.story(explorer, to: "a failed", "c failed")
    #expect(story.count == 4, "\(story)")
    let trial = explorer.never("another trial") { state, running in
      state.log == ["a failed"] && running.contains("c")
    }
    .userActions { $0.log == ["a failed"] && $0.wanted == ["b"] ? [.drop("b")] : [] }
    #expect(!trial.explore().isClean)
    let two = Fetch.explorer(guarded(), wanting: ["a", "b"], fails)
      .userActions { $0.wanted.contains("b") ? [.drop("b")] : $0.log.count < 2 ? [.want("c")] : [] }
    #expect(!Fetch.logs(two).contains(["a failed", "c refused"]))
  }

  @Test func actionsMayBeTranslatedAroundABreaker() {
    let logs = Fetch.logs(wanting(Fetch.explorer(guarded(failures: 1).mapped { $0 }, both), "b"))
    #expect(logs.contains(["a failed", "b refused"]))
  }

  /// A refusal that is a failure is tried again, when the breaker says.
  @Test func aRefusalIsRetried() {
    let effect = Fetch.retried(
      Fetch.FetchEffect().guarded(by: CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(10))) {
        refusal, _ in
        Fetch.Problem.busy(refusal.retryDelay ?? .zero)
      }, times: 2)
    let retry = { (attempt: Int, failure: String, delay: String) in
      ".retrying(\"a\", RetryAttempt(attempt: \(attempt), failure: \(failure), delay: \(delay) seconds))"
    }
    #expect(
      Fetch.story(Fetch.explorer(effect, both), to: "a again 2", "a again 3", "a arrived") == [
        "1. fetch \"a\" fails with .offline, sends \(retry(2, ".offline", "1.0")) and is going to be served again",
        "2. after 1.0 seconds, fetch \"a\" begins to be served",
        "3. at the same time, fetch \"a\" fails with .busy(9.0 seconds), sends "
          + "\(retry(3, ".busy(9.0 seconds)", "9.0")) and is going to be served again",
        "4. after 9.0 seconds, fetch \"a\" begins to be served", "5. fetch \"a\" answers .arrived(\"a\")",
      ])
  }

  @Test func effectsShareABreaker() {
    struct Other: EffectComponent {
      func requests(in state: Fetch.State) -> Set<Int> { state.log == ["a failed"] ? [1] : [] }
      func run(_ request: Int, send: Send<Fetch.Action>) async {}
    }
    let shared = CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(10))
    for isShared in [true, false] {
      let breaker = isShared ? shared : CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(10))
      let report = Explorer(initialState: Fetch.State(wanted: ["a"]), reduce: Fetch.reduce) { store in
        store.connect(Fetch.FetchEffect().guarded(by: shared) { .refused($1, .zero) })
        store.connect(Other().guarded(by: breaker) { _, _ in .gaveUp("other") })
      }
      .outcomes(of: String.self) { _ in [.fails(Fetch.Problem.offline)] }
      .outcomes(of: Int.self, sending: Fetch.Action.self) { _ in [] }
      .never("other is refused") { $0.log == ["a failed", "other gave up"] }
      .explore()
      #expect(report.isClean != isShared, "\(report)")
    }
  }

  /// What happens to a feature that never asks again once it was refused.
  @Test func aFeatureThatIsStuckBehindABreaker() {
    let explorer = Explorer(initialState: Fetch.State(wanted: ["a"]), reduce: Fetch.pollingReduce) { store in
      store.connect(guarded(failures: 1), named: "fetch")
    }
    .outcomes(of: String.self, both)
    .userActions { $0.wanted.isEmpty ? [] : [.drop("a")] }
    .userActions { $0.wanted.isEmpty ? [.want("a")] : [] }
    let report = explorer.always("a refusal is followed by another try") { state, running in
      state.log != ["a refused"] || !running.isEmpty || state.wanted.isEmpty
    }
    .explore()
    let found = report.counterexamples.first
    #expect(found?.steps.count == 4, "\(report)")
    #expect("\(report)".contains("at the same time, fetch \"a\" answers .refused(\"a\", 10.0 seconds)"))
  }

  /// Two moments after which the same happens are the same, however often the breaker has opened before.
  @Test func aBreakerThatOpensAgainAndAgainHasFewStates() {
    let explorer = Explorer(initialState: Fetch.State(wanted: ["a"]), reduce: Fetch.pollingReduce) { store in
      store.connect(guarded(), named: "fetch")
    }
    .outcomes(of: String.self, both)
    .userActions { [$0.wanted.isEmpty ? .want("a") : .drop("a")] }
    let report = explorer.allowing(.nothingToCheck).explore()
    #expect(report.bounds.isEmpty && report.isClean, "\(report)")
    #expect(report.counts.states < 100, "\(report)")
  }

  /// A share of failures, of the last runs.
  @Test func aRateOpensIt() {
    let breaker = CircuitBreaker(failureRate: 0.5, ofLast: 3, minimum: 2, resetTimeout: .seconds(10))
    let effect = Fetch.FetchEffect().guarded(by: breaker) { .refused($1, $0.retryDelay ?? .zero) }
    let logs = Fetch.logs(wanting(Fetch.explorer(effect, both), "b", "c", "d"))
    #expect(logs.contains(["a arrived", "b failed", "c refused", "d refused"]))
    #expect(!logs.contains(["a failed", "b arrived", "c refused", "d refused"]))
    #expect(!logs.contains { $0.count == 2 && $0[1].hasSuffix("refused") })
  }

  /// What a row has done to the breaker that all rows share outlasts the row; where each row has one, it does not.
  @Test(arguments: [true, false]) func elementsShareABreaker(isShared: Bool) {
    let shared = CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(10))
    let explorer = FetchRows.explorer {
      let breaker = isShared ? shared : CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(10))
      return Fetch.FetchEffect().guarded(by: breaker, action: { .refused($1, .zero) })
    }
    #expect(refusals(of: explorer).isClean != isShared)
  }

  /// With a lifetime that begins again comes a new breaker, also within a policy.
  @Test func aLifetimeThatBeginsAgainHasANewBreaker() {
    let explorer = FetchRows.explorer {
      let breaker = CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(10))
      return Fetch.retried(
        Fetch.FetchEffect().guarded(by: breaker, action: { .refused($1, .zero) }), times: 0)
    }
    let report = refusals(of: explorer)
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
  }

  private func refusals(of explorer: Explorer<FetchRows.State, FetchRows.Action>) -> ExplorationReport<
    FetchRows.State, FetchRows.Action
  > {
    explorer.outcomes(of: String.self, sending: Fetch.Action.self) { _ in [.fails(Fetch.Problem.offline)] }
      .never("refused") { state in state.rows.contains { $0.fetch.log == ["a refused"] } }
      .explore()
  }
}
