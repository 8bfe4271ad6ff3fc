import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

@testable import cases

/// What holds in every order of what may happen.
@Suite("Cases that load, explored") struct ExploredLoadingTests {
  @Test("search: what is shown belongs to what was typed last")
  func search() {
    let report = Explorer(
      initialState: SearchAsYouType.State(), comparing: { ["\($0.query)", "\($0.results ?? [])"] },
      reduce: SearchAsYouType.reduce,
      connect: { SearchAsYouType.connect(to: $0, clock: TestClock()) { [$0] } }
    )
    .userActions { _ in [.typed("a"), .typed("b"), .typed("")] }
    .outcomes(of: String.self) { query in [.answers(.found(["\(query).org"]))] }
    .always("results are of the newest query") { state in
      state.results.map { $0 == ["\(state.query).org"] } ?? true
    }
    .alwaysReachable("a query is answered") { $0.results != nil }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("retry: a page is shown or given up, and is not asked for for ever")
  func retry() {
    let report = Explorer(
      initialState: RetryAndGiveUp.State(),
      comparing: { [$0.page ?? "", $0.text ?? "", $0.notice] }, reduce: RetryAndGiveUp.reduce,
      connect: { store in
        RetryAndGiveUp.connect(to: store, clock: TestClock()) {
          page throws(RetryAndGiveUp.Offline) in page
        }
      }
    )
    .userActions { _ in [.opened("a")] }
    .outcomes(of: String.self) { page in [.answers(.loaded(page)), .fails(RetryAndGiveUp.Offline())] }
    .eventually("it ends") { $0.pending == nil }
    .always("what is shown has no notice") { $0.text == nil || $0.notice.isEmpty }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("polling: the end is seen, and no look is made twice")
  func polling() {
    let report = Explorer(
      initialState: AdaptivePolling.State(), comparing: { "\($0.status) \($0.isDue) \($0.interval)" },
      reduce: AdaptivePolling.reduce,
      connect: { AdaptivePolling.connect(to: $0, clock: TestClock()) { $0 } }
    )
    .outcomes(of: String.self) { _ in [.answers(.looked("running")), .answers(.looked("done"))] }
    .always("the wait is between a second and half a minute") {
      (.seconds(1) ... .seconds(30)).contains($0.interval)
    }
    .always("it either looks or waits, until the end") { state, running in
      running.count == (state.status == "done" && !state.isDue ? 0 : 1)
    }
    .alwaysReachable("the end is seen") { $0.status == "done" }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("deadline: the job ends as a whole, whatever its parts do")
  func deadline() {
    let report = Explorer(
      initialState: WholeDeadline.State(),
      comparing: { ["\($0.missing.sorted()) \($0.done.sorted()) \($0.outcome)"] },
      reduce: WholeDeadline.reduce,
      connect: { WholeDeadline.connect(to: $0, clock: TestClock()) { _ in } }
    )
    .userActions { $0.missing.isEmpty ? [.began(["a", "b"])] : [] }
    .outcomes(of: String.self) { part in part == "a" ? [.answers(.finished(part))] : [] }
    .always("nothing runs after the end") { state, running in
      state.outcome.isEmpty || running.isEmpty
    }
    .eventually("it ends") { $0.missing.isEmpty }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("parallel: all files are converted in the end, and the count is right")
  func parallel() {
    let report = Explorer(
      initialState: ParallelWithLimit.State(), comparing: { ["\($0.waiting.sorted()) \($0.total)"] },
      reduce: ParallelWithLimit.reduce, connect: { ParallelWithLimit.connect(to: $0) { _ in } }
    )
    .userActions { $0.total == 0 ? [.added(Set(1...4))] : [] }
    .outcomes(of: Int.self) { file in [.answers(.converted(file))] }
    .eventually("all are converted") { $0.waiting.isEmpty }
    .alwaysReachable("the count is that of all") { $0.progress == "4 of 4" }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("download: every part is there once and in order, however often it is paused")
  func download() {
    let report = Explorer(
      initialState: Download.State(file: "abc"), comparing: { "\($0)" }, reduce: Download.reduce,
      connect: { Download.connect(to: $0) { _, _ in nil } }
    )
    .userActions { [$0.isPaused ? .resumed : .paused] }
    .outcomes(of: Download.Range.self) { range in
      let rest = "abc".dropFirst(range.start).map { Download.Action.received("\($0)") }
      return [rest.reduce(Outcome.sends()) { $0.then(.sends($1)) }.then(.answers(.ended))]
    }
    .always("the parts are those of the file") { "abc".hasPrefix($0.received.joined()) }
    .always("whole is whole, and is asked for no more") { state, running in
      !state.isWhole || state.received.count == 3 && running.isEmpty
    }
    .alwaysReachable("it is whole") { $0.isWhole }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("pages: they are in the list in their order, each once")
  func pages() {
    let report = Explorer(
      initialState: Pagination.State(), comparing: { ["\($0)"] }, reduce: Pagination.reduce,
      connect: { Pagination.connect(to: $0) { Pagination.Page(items: ["\($0)"]) } }
    )
    .userActions { _ in [.endSeen, .pulledToRefresh] }
    .outcomes(of: Int.self) { page in
      [.answers(.arrived(Pagination.Page(items: ["\(page)"], next: page < 3 ? page + 1 : nil)))]
    }
    .always("each page once, in order") { $0.items == (1...3).prefix($0.items.count).map { "\($0)" } }
    .alwaysReachable("the end is reached") { $0.next == nil }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("cache: at rest, what is looked at is the newest")
  func cache() {
    let report = Explorer(
      initialState: Cache.State(), comparing: { "\($0)" }, reduce: Cache.reduce,
      connect: { Cache.connect(to: $0) { $0 } }
    )
    .userActions { state in
      (state.versions["a", default: 0] < 2 ? [.changed("a")] : []) + [.shown(["a"]), .shown([])]
    }
    .outcomes(of: Cache.Load.self) { [.answers(.loaded($0, "\($0.version)"))] }
    .always("an article is of the version that it says") {
      $0.articles.values.allSatisfy { $0.text == "\($0.version)" }
    }
    .always("at rest it is the newest") { state, running in
      !running.isEmpty || state.shown.isEmpty
        || state.articles["a"]?.version == state.versions["a", default: 0]
    }
    .always("what nobody looks at is not loaded") { state, running in running.isEmpty || !state.shown.isEmpty
    }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("quota: all are found in the end")
  func quota() {
    let report = Explorer(
      initialState: Quota.State(), comparing: { "\($0.unknown) \($0.places.keys.sorted())" },
      reduce: Quota.reduce,
      connect: { Quota.connect(to: $0, quota: TokenBucket(capacity: 1, refilledEvery: .seconds(10))) { $0 } }
    )
    .userActions { $0.places.isEmpty && $0.unknown.isEmpty ? [.added(["a", "b", "c"])] : [] }
    .outcomes(of: String.self) { [.answers(.found($0, "there"))] }
    .eventually("all are found") { $0.unknown.isEmpty }
    .always("no address is known and unknown") { Set($0.unknown).isDisjoint(with: $0.places.keys) }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("breaker: each refresh ends, and a host that lives is never left alone")
  func breaker() {
    let report = Explorer(
      initialState: BreakerPerHost.State(), comparing: { "\($0)" }, reduce: BreakerPerHost.reduce,
      connect: { store in
        let breakers = CircuitBreakers<String> { _ in
          CircuitBreaker(failureThreshold: 1, resetTimeout: .seconds(30))
        }
        BreakerPerHost.connect(to: store, breakers: breakers) { _ throws(BreakerPerHost.Dead) in }
      }
    )
    .userActions { $0.round < 2 && $0.wanted.isEmpty ? [.refresh] : [] }
    .outcomes(of: BreakerPerHost.Feed.self) { feed in
      [feed.host == "dead.org" ? .fails(BreakerPerHost.Dead()) : .answers(.loaded(feed))]
    }
    .eventually("a refresh ends") { $0.wanted.isEmpty }
    .always("the living host is loaded") { [nil, "loaded"].contains($0.notes["alive.org"]) }
    .always("nothing is left alone that has not failed before") { state in
      state.round > 1 || state.notes["dead.org"]?.hasPrefix("left alone") != true
    }
    .explore()
    #expect(report.isClean, "\(report)")
  }
}
