import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Failures are retried, and requests are polled, as their policies say.
@Suite struct ExplorerRepeatingTests {
  // MARK: Retries

  @Test func aFailureIsTriedAgainAfterItsBackoff() {
    let explorer = Fetch.explorer(Fetch.retried(Fetch.FetchEffect(), times: 2))
    #expect(
      Fetch.story(explorer, to: "a again 2", "a again 3", "a failed") == [
        "1. fetch \"a\" fails with .offline, sends \(Self.retrying(2, .seconds(1))) and is going to be served again",
        "2. after 1.0 seconds, fetch \"a\" begins to be served",
        "3. fetch \"a\" fails with .offline, sends \(Self.retrying(3, .seconds(2))) and is going to be served again",
        "4. after 2.0 seconds, fetch \"a\" begins to be served",
        "5. fetch \"a\" fails with .offline",
      ])
    #expect(
      Fetch.logs(explorer) == [
        ["a arrived"], ["a again 2", "a arrived"], ["a again 2", "a again 3", "a arrived"],
        ["a again 2", "a again 3", "a failed"],
      ])
  }

  private static func retrying(_ attempt: Int, _ delay: Duration) -> String {
    ".retrying(\"a\", RetryAttempt(attempt: \(attempt), failure: .offline, delay: \(delay)))"
  }

  /// The delay begins with the failure, not with what was sent before.
  @Test func aFailureAfterActionsIsTriedAgainAfterThem() {
    let explorer = Fetch.explorer(Fetch.retried(Fetch.FetchEffect(), times: 1), timer: .seconds(1)) { _ in
      [.sends(.refused("b", .zero), .refused("c", .zero)).then(.fails(Fetch.Problem.offline))]
    }
    #expect(
      Fetch.story(explorer, to: "b refused", "c refused", "a again 2", "b refused", "c refused", "a failed")
        == [
          "1. fetch \"a\" sends .refused(\"b\", 0.0 seconds)",
          "2. fetch \"a\" sends .refused(\"c\", 0.0 seconds)",
          "3. fetch \"a\" fails with .offline, sends \(Self.retrying(2, .seconds(1))) and is going to be served again",
          "4. after 1.0 seconds, fetch \"a\" begins to be served",
          "5. fetch \"a\" sends .refused(\"b\", 0.0 seconds)",
          "6. fetch \"a\" sends .refused(\"c\", 0.0 seconds)",
          "7. fetch \"a\" fails with .offline",
        ])
    let report = explorer.never("served again before it has failed") {
      $0.log.filter { $0 != "t rang" }.prefix(2) == ["b refused", "b refused"]
    }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test func aFailureThatIsNotRetriedEndsTheRun() {
    let outcomes: @Sendable (String) -> [MillraceExplorer.Outcome<Fetch.Action>] = { _ in
      [.fails(Fetch.Problem.gone)]
    }
    #expect(
      Fetch.logs(Fetch.explorer(Fetch.retried(Fetch.FetchEffect(), times: 2), outcomes)) == [["a failed"]])
    #expect(
      Fetch.logs(Fetch.explorer(Fetch.retried(Fetch.FetchEffect(), times: 0))) == [
        ["a arrived"], ["a failed"],
      ])
  }

  @Test func aFailureSaysHowLongToWait() {
    let explorer = Fetch.explorer(Fetch.retried(Fetch.FetchEffect(), times: 1)) { _ in
      [.fails(Fetch.Problem.busy(.seconds(9)))]
    }
    #expect(
      Fetch.story(explorer, to: "a again 2", "a failed")[1]
        == "2. after 9.0 seconds, fetch \"a\" begins to be served")
  }

  @Test func theUserMayActWhileARunWaitsToBeTriedAgain() {
    let explorer = Fetch.explorer(Fetch.retried(Fetch.FetchEffect(), times: 1)) { _ in
      [.fails(Fetch.Problem.offline)]
    }
    .userActions { $0.wanted.isEmpty ? [] : [.drop("a")] }
    #expect(Fetch.logs(explorer) == [[], ["a again 2"], ["a again 2", "a failed"]])
    #expect(explorer.explore().counts.states == 6)
  }

  /// The delays of a backoff with a seed are those of the first run that is retried.
  @Test func jitterIsThatOfTheSeed() async throws {
    for seed: UInt64 in [1, 2] {
      let backoff = Backoff(first: .seconds(1), jitter: 0.5, seed: seed)
      let effect = Fetch.FetchEffect().retried(
        times: 2, by: backoff, clock: ImmediateClock(), action: { .retrying($1, $0) })
      let explorer = Fetch.explorer(effect)
      let report = explorer.never("failed") { $0.log.last == "a failed" }.explore()
      let reported = try #require(report.counterexamples.first).steps.compactMap { step in
        if case .outcome(let outcome) = step { outcome.actions.first as? Fetch.Action } else { nil }
      }
      let sent = await effect.outcome(of: "a").sent
      #expect(reported == sent)
      #expect(sent.count == 2)
    }
  }

  @Test func withoutASeedTheDelaysAreTheLongest() {
    let effect = Fetch.FetchEffect().retried(
      times: 1, by: Backoff(first: .seconds(4)), action: { .retrying($1, $0) })
    #expect(
      Fetch.story(Fetch.explorer(effect), to: "a again 2", "a failed")[1]
        == "2. after 4.0 seconds, fetch \"a\" begins to be served")
    let delayed = Fetch.FetchEffect().backingOff(by: Backoff(first: .seconds(4)), attempt: { _ in 2 })
    #expect(
      Fetch.story(Fetch.explorer(delayed), to: "a failed")[0]
        == "1. after 4.0 seconds, fetch \"a\" begins to be served")
  }

  @Test func anOutcomeThatDoesNotFitIsReported() {
    struct Other: Error {}
    let report = Fetch.explorer(Fetch.retried(Fetch.FetchEffect(), times: 1)) { _ in [.fails(Other())] }
      .explore()
    #expect(
      report.problems == ["fetch sends Fetch.Action and throws Fetch.Problem; an outcome throws Other()"])
  }

  @Test func anOutcomeOfTheStoresActionNamesTheParameterForThatOfTheEffect() {
    struct Load: EffectComponent {
      func requests(in names: Set<String>) -> Set<String> { names }
      func run(_ name: String, send: Send<String>) async {}
    }
    let report = Explorer(initialState: Fetch.State(wanted: ["a"]), reduce: Fetch.reduce) {
      $0.connect(Load(), to: \.wanted, action: Fetch.Action.arrived, named: "load")
    }
    .outcomes(of: String.self) { [.answers(.arrived($0))] }.explore()
    #expect(
      report.problems == [
        """
        load sends String and throws Never; an outcome sends .arrived("a"); list the actions of the effect \
        itself, by 'outcomes(of:sending: String.self)'
        """
      ])
  }

  @Test func aRunOfWhichNothingIsListedIsReported() {
    let report = Explorer(initialState: Fetch.State(wanted: ["a"]), reduce: Fetch.reduce) {
      $0.connect(Fetch.retried(Fetch.FetchEffect(), times: 1), named: "fetch")
    }
    .explore()
    #expect(report.unlisted == ["fetch (String)"])
  }

  // MARK: Polls

  @Test func aPolledRequestIsServedAgainAndAgain() {
    let explorer = Fetch.explorer(
      Fetch.FetchEffect().polled(every: .seconds(5)), reduce: Fetch.pollingReduce)
    let report = explorer.allowing(.nothingToCheck).explore()
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    // Served or waiting, after nothing, an answer or a failure.
    #expect(report.counts.states == 5)
    let story = Fetch.story(
      Fetch.explorer(Fetch.FetchEffect().polled(every: .seconds(5))) {
        [.answers(.arrived($0 + "!")), .fails(Fetch.Problem.offline)]
      },
      to: "a! arrived", "a failed")
    #expect(
      story == [
        "1. fetch \"a\" answers .arrived(\"a!\") and is going to be served again",
        "2. after 5.0 seconds, fetch \"a\" begins to be served",
        "3. fetch \"a\" fails with .offline, sends .failed(\"a\") and is going to be served again",
      ])
  }

  @Test func aRunThatIsServedAgainHasSentWhatItHasSent() {
    let report = Explorer(
      initialState: Fetch.State(wanted: ["a"]), reduce: { state, _ in state.log.append("sent") },
      connect: { $0.connect(Fetch.FetchEffect().polled(every: .seconds(5))) }
    )
    .outcomes(of: String.self) { name, run in
      run.sent.isEmpty ? [.sends(Fetch.Action.arrived(name))] : [.answers()]
    }
    .never("sent twice") { $0.log.count > 1 }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test func aPollBacksOffAfterFailures() {
    let backoff = Backoff(first: .seconds(7), cap: .seconds(20), jitter: 0)
    let explorer = Fetch.explorer(
      Fetch.FetchEffect().polled(every: .seconds(5), backingOff: backoff),
      { _ in [.fails(Fetch.Problem.offline), .answers()] },
      reduce: { state, action in if case .failed = action { state.log = (state.log + ["x"]).suffix(4) } })
    let waits = Set(Self.waits(explorer, to: ["x", "x", "x", "x"]))
    #expect(waits == [.seconds(7), .seconds(14), .seconds(20)])
    // However often it fails, the delays end.
    #expect(explorer.explore().bounds.isEmpty)
  }

  private static func waits(_ explorer: Explorer<Fetch.State, Fetch.Action>, to log: [String]) -> [Duration] {
    let report = explorer.never("the log") { $0.log == log }.explore(depth: 12)
    return report.counterexamples.first?.steps.compactMap { step in
      if case .outcome(let outcome) = step { outcome.passed } else { nil }
    } ?? []
  }

  /// A run that is given up answers with the action of giving up, and has no failure.
  @Test func aRunThatIsGivenUpAnswers() {
    let effect = Fetch.FetchEffect().supervised(
      restarts: 1, within: .seconds(60), by: Fetch.backoff, restarting: { .retrying($1, $0) },
      givingUp: { .gaveUp($1) })
    #expect(
      Fetch.logs(Fetch.explorer(effect))
        == [["a again 2", "a gave up"], ["a again 2", "a arrived"], ["a arrived"]])
  }

  /// The first attempt that sends something has the answer, and the run ends as it does.
  @Test func anAttemptThatHasSentIsNotHelped() {
    let again = { @Sendable (name: String) in
      Fetch.Action.retrying(name, RetryAttempt(attempt: 0, failure: .offline, delay: .zero))
    }
    let explorer = Fetch.explorer(Fetch.FetchEffect().hedged(after: .seconds(1))) { name in
      [.sends(again(name)).then(.fails(Fetch.Problem.offline))]
    }
    #expect(Fetch.logs(explorer) == [["a again 0", "a failed"]])
  }
}

/// When a debounced run begins depends on the requests before it, where a burst has a leading one or a longest time.
@Suite struct ExplorerBurstTests {
  private let arrives: @Sendable (String) -> [MillraceExplorer.Outcome<Fetch.Action>] = {
    [.answers(.arrived($0))]
  }

  @Test func aLeadingRequestBeginsAtOnce() {
    let effect = Fetch.FetchEffect().debounced(for: .seconds(3), leading: true)
    let explorer = Fetch.wanting(Fetch.explorer(effect, arrives), "b")
    #expect(
      Fetch.story(explorer, to: "a arrived", "b arrived") == [
        "1. the user sends .want(\"b\")", "2. fetch \"a\" answers .arrived(\"a\")",
        "3. after 3.0 seconds, fetch \"b\" begins to be served", "4. fetch \"b\" answers .arrived(\"b\")",
      ])
    // What comes within the burst is given up before it begins; what comes later leads another one.
    let limited = Fetch.explorer(effect.timingOut(after: .seconds(2), action: { .gaveUp($0) }), arrives)
      .userActions { $0.log == ["a arrived"] && $0.wanted.isEmpty ? [.want("b")] : [] }
    #expect(
      Fetch.logs(limited) == [
        ["a gave up"], ["a arrived"], ["a arrived", "b gave up"], ["a arrived", "b arrived"],
      ])
    let waiting = Fetch.explorer(effect, wanting: ["a", "b"], arrives)
    #expect(
      Fetch.story(waiting, to: "a arrived", "b arrived") == [
        "1. fetch \"a\" answers .arrived(\"a\")", "2. after 3.0 seconds, fetch \"b\" begins to be served",
        "3. fetch \"b\" answers .arrived(\"b\")",
      ])
  }

  @Test func requestsThatWaitForOneBurstAllBegin() {
    let effect = Fetch.FetchEffect().debounced(for: .seconds(3), leading: true)
    let logs = Fetch.logs(Fetch.explorer(effect, wanting: ["a", "b", "c"], arrives))
    // The first one leads. The others begin together, and any may be answered first.
    #expect(logs.contains(["a arrived", "b arrived", "c arrived"]))
    #expect(logs.contains(["c arrived", "b arrived", "a arrived"]))
  }

  @Test func aBurstEndsAfterItsLongestTime() {
    let effect = Fetch.FetchEffect().debounced(for: .seconds(3), atMost: .seconds(4))
    let explorer = Fetch.explorer(effect, timer: .seconds(2), arrives).userActions { state in
      guard state.log == ["t rang"] else { return [] }
      return state.wanted.contains("a") ? [.drop("a")] : state.wanted.isEmpty ? [.want("b")] : []
    }
    // Two seconds after the first request of the burst came the second, and four seconds after it the burst is over.
    let story = Fetch.story(explorer, to: "t rang", "b arrived")
    #expect(story.contains("4. after 2.0 seconds, fetch \"b\" begins to be served"), "\(story)")
  }

  @Test func whatWaitsNoMoreIsForgotten() {
    let effect = Fetch.FetchEffect().debounced(for: .seconds(3), leading: true)
      .timingOut(after: .seconds(2), action: { .gaveUp($0) })
    let report = Fetch.explorer(effect, wanting: ["a", "b"], { _ in [] }, reduce: Fetch.pollingReduce)
      .userActions { state in ["a", "b"].map { state.wanted.contains($0) ? .drop($0) : .want($0) } }
      .explore()
    #expect(report.bounds.isEmpty && report.counts.states == 72, "\(report)")
    let retried = Fetch.retried(
      Fetch.FetchEffect().debounced(for: .seconds(3), leading: true)
        .timingOut(after: .seconds(2), failure: { _ in .offline }), times: 1)
    let again = Fetch.explorer(retried, wanting: ["a", "b"], { _ in [] }, reduce: Fetch.pollingReduce)
      .userActions { state in ["a", "b"].map { state.wanted.contains($0) ? .drop($0) : .want($0) } }
      .explore()
    #expect(again.bounds.isEmpty && again.counts.states == 326, "\(again)")
  }
}
