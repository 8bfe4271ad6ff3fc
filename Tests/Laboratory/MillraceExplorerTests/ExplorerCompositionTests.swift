import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Policies around policies, in any order.
@Suite struct ExplorerCompositionTests {
  private let fetch = Fetch.FetchEffect()
  private let fails: @Sendable (String) -> [MillraceExplorer.Outcome<Fetch.Action>] = { _ in
    [.fails(Fetch.Problem.offline)]
  }
  private let arrives: @Sendable (String) -> [MillraceExplorer.Outcome<Fetch.Action>] = {
    [.answers(.arrived($0))]
  }

  /// The times that pass on the way to a log.
  private func times(_ explorer: Explorer<Fetch.State, Fetch.Action>, to log: String...) -> [Duration] {
    let report = explorer.never("the log") { $0.log == log }.explore(depth: 12)
    return report.counterexamples.first?.steps.compactMap { step in
      switch step {
      case .outcome(let outcome): outcome.passed
      case .time(let time): time
      case .action, .component, .closure, .restart: nil
      }
    } ?? [.seconds(-1)]
  }

  @Test func retriedWithinDebounced() {
    let effect = Fetch.retried(fetch, times: 1).debounced(for: .seconds(3))
    #expect(times(Fetch.explorer(effect, fails), to: "a again 2", "a failed") == [.seconds(3), .seconds(1)])
  }

  @Test func debouncedWithinRetried() {
    let effect = Fetch.retried(fetch.debounced(for: .seconds(3)), times: 1)
    #expect(
      times(Fetch.explorer(effect, fails), to: "a again 2", "a failed") == [
        .seconds(3), .seconds(1), .seconds(3),
      ])
  }

  @Test func delayedWithinDelayedWithinDebounced() {
    let effect = fetch.delayed(by: .seconds(1)).delayed(by: .seconds(2)).debounced(for: .seconds(3))
    #expect(
      times(Fetch.explorer(effect, fails), to: "a failed") == [.seconds(3), .seconds(2), .seconds(1)])
  }

  @Test func aTimeoutThatFailsIsRetried() {
    let effect = Fetch.retried(fetch.timingOut(after: .seconds(5), failure: { _ in .offline }), times: 1)
    let explorer = Fetch.explorer(effect) { _ in [] }
    let retry = ".retrying(\"a\", RetryAttempt(attempt: 2, failure: .offline, delay: 1.0 seconds))"
    #expect(
      Fetch.story(explorer, to: "a again 2", "a failed") == [
        "1. after 5.0 seconds, fetch \"a\" fails with .offline, sends \(retry) and is going to be served again",
        "2. after 1.0 seconds, fetch \"a\" begins to be served",
        "3. after 5.0 seconds, fetch \"a\" fails with .offline",
      ])
  }

  @Test func aTimeoutThatSendsIsNotRetried() {
    let effect = Fetch.retried(fetch.timingOut(after: .seconds(5), action: { .gaveUp($0) }), times: 1)
    #expect(Fetch.logs(Fetch.explorer(effect) { _ in [] }) == [["a gave up"]])
  }

  /// The time of all attempts, and of the waits between them, counts.
  @Test func aTimeoutAroundRetries() {
    let effect = Fetch.retried(fetch.delayed(by: .seconds(2)), times: 9).timingOut(
      after:
        .seconds(6), action: { .gaveUp($0) })
    let explorer = Fetch.explorer(effect, fails)
    #expect(
      Fetch.logs(explorer) == [
        ["a gave up"], ["a again 2", "a gave up"], ["a again 2", "a again 3", "a gave up"],
      ])
    #expect(
      times(explorer, to: "a again 2", "a again 3", "a gave up") == [
        .seconds(2), .seconds(1), .seconds(2), .seconds(1),
      ])
    #expect(
      times(explorer, to: "a again 2", "a gave up") == [.seconds(2), .seconds(1), .seconds(2), .seconds(1)])
    #expect(times(explorer, to: "a gave up") == [.seconds(2), .seconds(4)])
  }

  /// What is due before a time limit comes first, also within an outcome.
  @Test func aTimeoutWithinAnOutcomeComesWhenItIsDue() {
    let effect = fetch.timingOut(after: .seconds(5), action: { .gaveUp($0) })
    let explorer = Fetch.explorer(effect, timer: .seconds(2)) {
      [.sends(.gaveUp($0 + "!")).then(.answers(.arrived($0)))]
    }
    let story = Fetch.story(explorer, to: "a! gave up", "t rang", "a gave up")
    #expect(story.last == "3. after 3.0 seconds, fetch \"a\" answers .gaveUp(\"a\")", "\(story)")
    let early = explorer.never("before the timer") { $0.log.contains("a gave up") && !$0.timers.isEmpty }
    #expect(early.explore().isClean)
  }

  /// What is due together comes in either order.
  @Test func aTimeoutAndTheEndOfADelayAtTheSameTime() {
    let effect = fetch.delayed(by: .seconds(5)).timingOut(after: .seconds(5), action: { .gaveUp($0) })
    #expect(Fetch.logs(Fetch.explorer(effect, fails)) == [["a gave up"], ["a failed"]])
  }

  @Test func aPollOfRetries() {
    let effect = Fetch.retried(fetch, times: 1).polled(every: .seconds(5))
    let explorer = Fetch.explorer(effect) { _ in [.fails(Fetch.Problem.offline), .answers(.gaveUp("b"))] }
    // Each round has its attempts; the polling goes on after the last.
    #expect(
      times(explorer, to: "a again 2", "b gave up", "a again 2", "b gave up") == [
        .seconds(1), .seconds(5), .seconds(1),
      ])
  }

  @Test func aRetryAroundAPollNeverHappens() {
    let effect = Fetch.retried(fetch.polled(every: .seconds(5)), times: 1)
    let explorer = Fetch.explorer(
      effect, { _ in [.fails(Fetch.Problem.offline)] }, reduce: Fetch.pollingReduce)
    let report = explorer.never("again") { $0.log.contains { $0.contains("again") } }.explore()
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
  }

  @Test func mappedPoliciesSendTheTranslatedAction() {
    let effect = Fetch.retried(fetch.mapped(Self.marked), times: 1).mapped(Self.marked)
      .timingOut(after: .seconds(9), action: { .gaveUp($0) }).mapped(Self.marked)
    #expect(
      Fetch.logs(Fetch.explorer(effect, { _ in [.fails(Fetch.Problem.offline)] })) == [
        ["a!! again 2", "a failed"]
      ])
    #expect(Fetch.story(Fetch.explorer(effect) { _ in [] }, to: "a! gave up").count == 1)
    // What the test lists is what the whole effect sends.
    #expect(
      Fetch.logs(Fetch.explorer(fetch.delayed(by: .seconds(1)).ignoringWhileRunning(), arrives)) == [
        ["a arrived"]
      ])
  }

  private static func marked(_ action: Fetch.Action) -> Fetch.Action {
    switch action {
    case .retrying(let name, let retry): .retrying(name + "!", retry)
    case .gaveUp(let name): .gaveUp(name + "!")
    default: action
    }
  }

  // MARK: Entrances within and around

  @Test func eachAttemptTakesATokenWithinRetries() {
    let bucket = TokenBucket(capacity: 1, refilledEvery: .seconds(9))
    let within = Fetch.retried(fetch.rateLimited(by: bucket), times: 1)
    #expect(times(Fetch.explorer(within, fails), to: "a again 2", "a failed") == [.seconds(1), .seconds(8)])
    let around = Fetch.retried(fetch, times: 1).rateLimited(by: bucket)
    #expect(times(Fetch.explorer(around, fails), to: "a again 2", "a failed") == [.seconds(1)])
  }

  @Test func aRetryHasASlotWhereTheLimitIsAroundIt() {
    let outcomes: @Sendable (String) -> [MillraceExplorer.Outcome<Fetch.Action>] = { name in
      name == "a" ? [.fails(Fetch.Problem.offline)] : [.answers(.arrived(name))]
    }
    let around = Fetch.logs(
      Fetch.explorer(Fetch.retried(fetch, times: 1).inSequence(), wanting: ["a", "b"], outcomes))
    #expect(around == [["a again 2", "a failed", "b arrived"], ["b arrived", "a again 2", "a failed"]])
    let within = Fetch.logs(
      Fetch.explorer(Fetch.retried(fetch.inSequence(), times: 1), wanting: ["a", "b"], outcomes))
    #expect(within == [["a again 2", "b arrived", "a failed"], ["b arrived", "a again 2", "a failed"]])
  }

  @Test func throttledWithinLimitedWithinTimeout() {
    let effect = fetch.throttled(for: .seconds(4)).limited(to: 2).timingOut(
      after:
        .seconds(6), action: { .gaveUp($0) })
    let explorer = Fetch.explorer(effect, wanting: ["a", "b", "c"]) { _ in [] }
      .never("c is served") { _ in false }
    let report = explorer.explore()
    // Two have slots, one of them waits for the throttle; the third waits for a slot. All end together.
    #expect(report.isClean)
    #expect(
      Fetch.logs(Fetch.explorer(effect, wanting: ["a", "b", "c"]) { _ in [] }).count == 6, "\(report)")
    #expect(times(explorer, to: "a gave up", "b gave up", "c gave up").reduce(.zero, +) == .seconds(6))
  }

  @Test func aThrottleAroundAThrottleIsAnother() {
    let effect = fetch.throttled(for: .seconds(2)).throttled(for: .seconds(5))
    let explorer = Fetch.explorer(effect, arrives).userActions { state in
      state.wanted.isEmpty && state.log.count < 2 ? [.want("b")] : []
    }
    #expect(times(explorer, to: "a arrived", "b arrived") == [.seconds(2), .seconds(3)])
  }

  /// A value that is ignored is not served in place of the one that the run has.
  @Test func aRunServesItsOwnValueWhereOthersAreIgnored() {
    let explorer = following(fetch.ignoringWhileRunning())
    #expect(times(explorer, to: "a arrived") == [])
    #expect(explorer.never("b") { $0.log.contains("b arrived") }.explore().isClean)
  }

  // MARK: Values that are handed over

  /// Follows the name that is wanted, in one run.
  struct Follow: HandoverEffectComponent {
    typealias Failure = Fetch.Problem
    func id(of name: String) -> Int { 0 }
    func requests(in state: Fetch.State) -> Set<String> { state.wanted }
    func run(following names: RequestUpdates<String>, send: Send<Fetch.Action>) async throws(Fetch.Problem) {}
    func action(for failure: Fetch.Problem, of name: String) -> Fetch.Action { .failed(name) }
  }

  private func following(_ effect: some EffectComponent<Fetch.State, Fetch.Action>) -> Explorer<
    Fetch.State, Fetch.Action
  > {
    Explorer(
      initialState: Fetch.State(wanted: ["a"]),
      reduce: { state, action in
        if case .want(let name) = action { state.wanted = [name] } else { Fetch.reduce(&state, action) }
      }, connect: { $0.connect(effect, named: "fetch") }
    )
    .userActions { $0.wanted == ["a"] ? [.want("b")] : [] }
    .outcomes(of: String.self) { [.answers(.arrived($0)), .fails(Fetch.Problem.offline)] }
  }

  @Test func aRunGoesOnWithTheValueThatIsHandedOver() {
    let effect = Fetch.retried(Follow(), times: 1)
    let explorer = following(effect).never("a third attempt") { state in
      // The value that a run has left begins another run, with attempts of its own.
      state.log.starts(with: ["a again 2", "b again 2"])
    }
    #expect(explorer.explore().isClean)
    #expect(
      !explorer.never("a failure") { $0.log == ["a again 2", "b failed"] && $0.wanted.isEmpty }.explore()
        .isClean)
    #expect(!explorer.never("a retry of b") { $0.log == ["b again 2"] }.explore().isClean)
  }

  @Test func aValueThatIsHandedOverIsWaitedForAnew() {
    let timed = following(Follow().debounced(for: .seconds(3)))
    #expect(times(timed, to: "b arrived") == [.seconds(3)])
    let shorter = following(Follow().debounced(for: { .seconds($0 == "a" ? 3 : 1) }))
    #expect(times(shorter, to: "b arrived") == [.seconds(1)])
    let atOnce = following(Follow().debounced(for: { .seconds($0 == "a" ? 3 : 0) }))
    #expect(times(atOnce, to: "b arrived").isEmpty)
    let leading = following(Follow().debounced(for: .seconds(3), leading: true))
    #expect(times(leading, to: "b arrived").isEmpty)
    let short = following(Follow().debounced(for: .seconds(3), atMost: .seconds(1)))
    #expect(times(short, to: "b arrived") == [.seconds(1)])
    let delayed = following(
      Follow().debounced(for: .seconds(3)).timingOut(after: .seconds(4), action: { .gaveUp($0) }))
    #expect(Fetch.logs(delayed).contains(["a gave up"]))
  }

  /// A value that is dropped does not end the run, which takes the next one.
  @Test func aValueThatIsDroppedIsFollowedByAnother() {
    let dropping = Follow().throttled(
      for: .seconds(5), latest: false, dropped: { .refused($0 + "?", .zero) })
    let explorer = following(Fetch.retried(dropping, times: 1))
    #expect(
      times(explorer, to: "a again 2", "a? refused", "b arrived") == [.seconds(1), .zero, .seconds(4)])
  }
}
