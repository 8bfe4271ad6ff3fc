import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import TestSupport
import Testing

/// Whether a run may begin depends on the other runs of its effect, as throttles, buckets and limits say.
@Suite struct ExplorerEntranceTests {
  private typealias Listed = MillraceExplorer.Outcome<Fetch.Action>

  private let arrives: @Sendable (String) -> [MillraceExplorer.Outcome<Fetch.Action>] = {
    [.answers(.arrived($0))]
  }

  // MARK: Throttles

  @Test func aThrottledRunBeginsAnIntervalAfterTheLastOne() {
    let effect = Fetch.FetchEffect().throttled(for: .seconds(2))
    #expect(
      Fetch.story(Fetch.wanting(Fetch.explorer(effect, arrives), "b"), to: "a arrived", "b arrived") == [
        "1. the user sends .want(\"b\")",
        "2. fetch \"a\" answers .arrived(\"a\")",
        "3. after 2.0 seconds, fetch \"b\" begins to be served",
        "4. fetch \"b\" answers .arrived(\"b\")",
      ])
  }

  /// Time passes while the user does nothing.
  @Test func aThrottledRunNeedNotWaitWhenTheIntervalIsOver() {
    let effect = Fetch.FetchEffect().throttled(for: .seconds(2), latest: false) { .gaveUp($0) }
    let explorer = Fetch.wanting(Fetch.explorer(effect, arrives), "b")
    #expect(
      Fetch.logs(explorer) == [
        ["a arrived"], ["a arrived", "b arrived"], ["b arrived", "a arrived"], ["a arrived", "b gave up"],
        ["b gave up", "a arrived"],
      ])
    #expect(
      Fetch.story(explorer, to: "a arrived", "b arrived") == [
        "1. fetch \"a\" answers .arrived(\"a\")", "2. 2.0 seconds pass", "3. the user sends .want(\"b\")",
        "4. fetch \"b\" answers .arrived(\"b\")",
      ])
    #expect(
      Fetch.story(explorer, to: "a arrived", "b gave up") == [
        "1. the user sends .want(\"b\")", "2. fetch \"a\" answers .arrived(\"a\")",
        "3. at the same time, fetch \"b\" answers .gaveUp(\"b\")",
      ])
  }

  @Test func ofRequestsThatComeTogetherAnyMayBeFirst() {
    let effect = Fetch.FetchEffect().throttled(for: .seconds(2))
    let explorer = Fetch.explorer(effect, wanting: ["a", "b", "c"], arrives)
    #expect(Fetch.logs(explorer).count == 6)
    #expect(
      Fetch.story(explorer, to: "b arrived", "c arrived", "a arrived") == [
        "1. at the same time, fetch \"a\" begins to be served",
        "2. after 2.0 seconds, fetch \"b\" begins to be served", "3. fetch \"b\" answers .arrived(\"b\")",
        "4. after 2.0 seconds, fetch \"c\" begins to be served", "5. fetch \"c\" answers .arrived(\"c\")",
        "6. fetch \"a\" answers .arrived(\"a\")",
      ])
    let dropping = Fetch.FetchEffect().throttled(for: .seconds(2), latest: false) { .gaveUp($0) }
    let logs = Fetch.logs(Fetch.explorer(dropping, wanting: ["a", "b"], arrives))
    #expect(logs.count == 4)
    #expect(logs.allSatisfy { log in log.count { $0.hasSuffix("gave up") } == 1 })
  }

  @Test func aRequestThatIsDroppedWithoutAnActionReturns() {
    let effect = Fetch.FetchEffect().throttled(for: .seconds(2), latest: false)
    let report = Fetch.explorer(effect, wanting: ["a", "b"], arrives)
      .never("both wait") { _, running in running.isEmpty }.explore()
    #expect("\(report)".contains("at the same time, fetch \"b\" returns without an answer"))
  }

  // MARK: Buckets

  @Test func aRunTakesItsTokens() {
    let bucket = TokenBucket(capacity: 3, refilledEvery: .seconds(4))
    let effect = Fetch.FetchEffect().rateLimited(by: bucket, cost: { $0 == "b" ? 3 : 1 })
    #expect(
      Fetch.story(
        Fetch.wanting(Fetch.explorer(effect, arrives), "b", "c"), to: "a arrived", "b arrived", "c arrived")
        == [
          "1. the user sends .want(\"b\")", "2. the user sends .want(\"c\")",
          "3. fetch \"a\" answers .arrived(\"a\")",
          "4. after 4.0 seconds, fetch \"b\" begins to be served", "5. fetch \"b\" answers .arrived(\"b\")",
          "6. after 4.0 seconds, fetch \"c\" begins to be served", "7. fetch \"c\" answers .arrived(\"c\")",
        ])
    let passing = Fetch.explorer(effect, arrives)
    #expect(passing.explore().counts.states == 4)  // with a token less, or full
  }

  /// What a closure dispatches in answer to a run comes before the run returns, which takes no token again.
  @Test func aRunWhoseReturnWaitsTakesNoOtherToken() {
    let bucket = TokenBucket(capacity: 2, refilledEvery: .seconds(4))
    let effect = Fetch.FetchEffect().rateLimited(by: bucket, refused: { .refused($1, $0) })
    let report = Explorer(
      initialState: Fetch.State(wanted: ["a"]),
      reduce: { state, action in
        Fetch.reduce(&state, action)
        if case .arrived(let name) = action { state.wanted.insert(name) }
      },
      connect: { store in
        store.connect(effect)
        _ = store.connect(while: { !$0.log.isEmpty }) { $0.dispatch(.gaveUp("closure")) }
      }
    )
    .userActions { $0.log == ["a arrived", "closure gave up"] ? [.want("b")] : [] }
    .outcomes(of: String.self, arrives)
    .never("refused") { $0.log.contains("b refused") }
    .alwaysReachable("both have come") { $0.log.last == "b arrived" }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test func theBucketIsRefilledTokenByToken() {
    let bucket = TokenBucket(capacity: 3, refilledEvery: .seconds(4))
    let effect = Fetch.FetchEffect().rateLimited(
      by: bucket, cost: { $0.count }, refused: { .refused($1, $0) })
    let explorer = Fetch.wanting(Fetch.explorer(effect, wanting: ["aaa"], arrives), "bb")
    #expect(
      Fetch.story(explorer, to: "aaa arrived", "bb refused") == [
        "1. the user sends .want(\"bb\")", "2. fetch \"aaa\" answers .arrived(\"aaa\")",
        "3. at the same time, fetch \"bb\" answers .refused(\"bb\", 8.0 seconds)",
      ])
    #expect(
      Fetch.story(explorer, to: "aaa arrived", "bb arrived") == [
        "1. fetch \"aaa\" answers .arrived(\"aaa\")", "2. 4.0 seconds pass", "3. 4.0 seconds pass",
        "4. the user sends .want(\"bb\")", "5. fetch \"bb\" answers .arrived(\"bb\")",
      ])
  }

  @Test func effectsShareABucketAndALimit() {
    struct Other: EffectComponent {
      func requests(in state: Fetch.State) -> Set<Int> { state.wanted.contains("a") ? [1] : [] }
      func run(_ request: Int, send: Send<Fetch.Action>) async {}
    }
    let bucket = TokenBucket(capacity: 1, refilledEvery: .seconds(4))
    let limit = ConcurrencyLimit(1)
    let effects: [(any Fetching, any Fetching, isFree: Bool)] = [
      (Fetch.FetchEffect().rateLimited(by: bucket), Other().rateLimited(by: bucket), true),
      (Fetch.FetchEffect().limited(by: limit), Other().limited(by: limit), false),
      (Fetch.FetchEffect().limited(to: 1), Other().limited(to: 1), true),
    ]
    for (one, other, isFree) in effects {
      let report = Explorer(initialState: Fetch.State(wanted: ["a"]), reduce: Fetch.reduce) { store in
        Self.connect(one, to: store)
        Self.connect(other, to: store)
      }
      .outcomes(of: String.self) { _ in [.sends(.failed("one"))] }
      .outcomes(of: Int.self) { _ in [.sends(.failed("other"))] }
      .never("both") { Set($0.log).count == 2 }
      .allowing(.depth)
      .explore(depth: 4)
      #expect(report.isClean != isFree, "\(report)")
    }
  }

  private typealias Fetching = EffectComponent<Fetch.State, Fetch.Action>

  private static func connect(
    _ effect: some EffectComponent<Fetch.State, Fetch.Action>, to store: Store<Fetch.State, Fetch.Action>
  ) { store.connect(effect) }

  // MARK: Limits

  @Test func aLimitedRunWaitsForASlot() {
    let effect = Fetch.FetchEffect().limited(to: 2)
    let explorer = Fetch.wanting(Fetch.explorer(effect, wanting: ["a", "b"], arrives), "c")
    #expect(Fetch.story(explorer, to: "b arrived", "c arrived", "a arrived").count == 4)
    #expect(
      Fetch.story(explorer, to: "c arrived", "a arrived", "b arrived").first?.contains("all there are")
        == true)
  }

  @Test func theOrderOfALimitIsDeclared() {
    let first = Fetch.wanting(Fetch.explorer(Fetch.FetchEffect().limited(to: 1), arrives), "b", "c")
    #expect(!Fetch.logs(first).contains { $0.prefix(2) == ["a arrived", "c arrived"] })
    let last = Fetch.wanting(
      Fetch.explorer(Fetch.FetchEffect().limited(to: 1, order: .lastInFirstOut), arrives), "b", "c")
    #expect(Fetch.logs(last).contains(["a arrived", "c arrived", "b arrived"]))
    #expect(Fetch.logs(last).contains(["a arrived", "b arrived", "c arrived"]))
    let priority = Fetch.FetchEffect().limited(to: 1, priority: { $0 == "c" ? 1 : 0 })
    let together = Fetch.explorer(priority, wanting: ["a", "b", "c"], arrives)
    #expect(
      Fetch.logs(together) == [
        ["c arrived", "a arrived", "b arrived"], ["c arrived", "b arrived", "a arrived"],
      ])
  }

  @Test func aStoppedRunGivesItsSlotBack() {
    let effect = Fetch.FetchEffect().inSequence()
    let explorer = Fetch.explorer(
      effect, wanting: ["a", "b"], { $0 == "b" ? [.answers(.arrived("b"))] : [] }
    )
    .userActions { $0.wanted.contains("a") ? [.drop("a")] : [] }
    #expect(explorer.alwaysReachable("b comes") { $0.log == ["b arrived"] }.explore().isClean)
    let stuck = Fetch.explorer(effect, wanting: ["a", "b"], { $0 == "b" ? [.answers(.arrived("b"))] : [] })
      .alwaysReachable("b comes") { $0.log == ["b arrived"] }.explore()
    #expect(stuck.counterexamples.first?.steps.count == 1, "\(stuck)")
  }

  @Test func whoWaitsInTheSameOrderIsTheSame() {
    let effect = Fetch.FetchEffect().limited(to: 1)
    let report = Fetch.explorer(effect, wanting: ["a"], { _ in [] })
      .userActions { state in
        ["b", "c"].flatMap { name in [state.wanted.contains(name) ? .drop(name) : .want(name)] }
      }
      .explore()
    // Nothing, one of two, or both in either order, behind the first.
    #expect(report.counts.states == 5)
    #expect(report.bounds.isEmpty)
  }

  // MARK: Lifetimes and parts

  /// The entrance of an effect that a lifetime makes is new with each lifetime.
  @Test func aLifetimeThatBeginsAgainHasANewThrottle() {
    let report = FetchRows.explorer { Fetch.FetchEffect().throttled(for: .seconds(2)) }.explore()
    #expect(report.bounds.isEmpty)
    // Each row's interval is over or not, and the second row is there or not, in two orders of rows.
    #expect(report.counts.states < 20, "\(report)")
    let dropping = FetchRows.explorer {
      Fetch.FetchEffect().throttled(for: .seconds(2), latest: false) { .gaveUp($0) }
    }
    .never("dropped") { state in state.rows.contains { !$0.fetch.log.isEmpty } }.explore()
    #expect(dropping.isClean, "\(dropping)")
  }

  @Test func elementsShareALimitThatIsMadeOutside() {
    let limit = ConcurrencyLimit(1)
    let report = FetchRows.explorer { Fetch.FetchEffect().limited(by: limit) }
      .userActions { _ in [] }
      .outcomes(of: Int.self, sending: Fetch.Action.self) { _ in [] }
      .explore()
    // Either row has the slot, and after the second has gone the first.
    #expect(report.bounds.isEmpty)
    #expect(report.counts.states == 4, "\(report)")
  }

  /// The row that took the token is gone, and the token still is, too.
  @Test func aBucketThatElementsShareOutlivesEach() throws {
    let bucket = TokenBucket(capacity: 1, refilledEvery: .seconds(4))
    let report = FetchRows.explorer(of: [2]) {
      Fetch.FetchEffect().rateLimited(by: bucket, refused: { .refused($1, $0) })
    }
    .userActions { _ in [.toggle(1), .toggle(3)] }
    .outcomes(of: String.self, sending: Fetch.Action.self) { [.answers(.arrived($0))] }
    .never("the third row gets a token") { state in
      state.rows[id: 1]?.fetch.log == ["a refused"] && state.rows[id: 2] == nil
        && state.rows[id: 3]?.fetch.log == ["a arrived"]
    }
    .explore()
    let steps = try #require(report.counterexamples.first).steps
    #expect(steps.contains { if case .time = $0 { true } else { false } }, "\(report)")
  }
}
