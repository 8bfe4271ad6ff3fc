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
