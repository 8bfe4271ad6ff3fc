import Millrace
import MillraceTestStore
import Testing

@testable import MillraceFaults

@Suite struct RunScriptsTests {
  private let site = CallSite(fileID: #fileID, line: #line)

  private func actions(_ scripts: RunScripts, _ key: RunKey) -> [Int]? {
    scripts.newest[key].map { $0.actions.compactMap { $0 as? Int } }
  }

  @Test func theNewestRunOfARequestCounts() async {
    let keys = await RunKey.ofRuns(2)
    var scripts = RunScripts()
    scripts.asked(1, as: keys[0])
    scripts.sent(1, by: 1, at: site)
    scripts.sent(2, by: 1, at: site)
    #expect(actions(scripts, keys[0]) == [1, 2] && actions(scripts, keys[1]) == nil)
    scripts.asked(2, as: keys[0])
    #expect(actions(scripts, keys[0]) == [])
    scripts.sent(3, by: 2, at: site)
    scripts.sent(4, by: 3, at: site)  // of a run that has not begun
    #expect(actions(scripts, keys[0]) == [3])
  }

  @Test func whatARunDidForARequestIsKeptWhenAnotherIsHandedOver() async {
    let keys = await RunKey.ofRuns(2)
    var scripts = RunScripts()
    scripts.asked(1, as: keys[0])
    scripts.sent(1, by: 1, at: site)
    scripts.asked(1, as: keys[1])
    scripts.sent(2, by: 1, at: site)
    #expect(actions(scripts, keys[0]) == [1] && actions(scripts, keys[1]) == [2])
    scripts.asked(1, as: keys[0])
    #expect(actions(scripts, keys[0]) == [] && actions(scripts, keys[1]) == [2])
  }

  @Test func howARunEndedAndThatItsBodyWasExecutedIsKept() async {
    let keys = await RunKey.ofRuns(2)
    var scripts = RunScripts()
    scripts.asked(1, as: keys[0])
    scripts.asked(2, as: keys[1])
    scripts.ended(1, .returns, at: site)
    scripts.executed(2)
    let newest = scripts.newest
    if case .returns? = newest[keys[0]]?.end {} else { Issue.record("it has returned") }
    #expect(newest[keys[0]]?.site == site && newest[keys[0]]?.isExecuted == false)
    #expect(newest[keys[1]]?.site == nil && newest[keys[1]]?.isExecuted == true)
  }
}

extension RunKey {
  /// Keys of the runs of as many requests.
  static func ofRuns(_ count: Int) async -> [RunKey] {
    let store = TestStore<Int, Int>(
      initialState: 0, reduce: { _, _ in },
      connect: { store in store.connect(when: { _ in Set(0..<count) }, named: "post") { _, _ in } })
    store.exhaustivity = .none
    let keys = store.session.heldRuns.map { RunKey($0, serving: $0.request) }
    await store.finish()
    return keys.sorted { $0.text < $1.text }
  }
}

@Suite struct DiskRecordTests {
  @Test func aSaveHasTheStateByWhichItWasAskedFor() async {
    let posts = await RunKey.ofRuns(2)
    var disk = DiskRecord<String>()
    #expect(disk.state == nil && disk.unsaved.isEmpty)
    disk.saveAsked(by: 1, "save a", of: "a")
    disk.sent(posts[0])
    disk.saveAsked(by: 1, "save a", of: "a, sent")
    #expect(disk.unsaved == [posts[0]])
    disk.saveAnswered(by: 1)
    #expect(disk.state == "a" && disk.unsaved == [posts[0]])
    disk.saveAsked(by: 1, "save b", of: "b")
    disk.sent(posts[1])
    disk.saveAnswered(by: 1)
    #expect(disk.state == "b" && disk.unsaved == [posts[1]])
  }

  @Test func anOlderSaveThatEndsLaterDoesNotTakeBackWhatIsSaved() async {
    let posts = await RunKey.ofRuns(1)
    var disk = DiskRecord<String>()
    disk.saveAsked(by: 1, "save", of: "a")
    disk.sent(posts[0])
    disk.saveAsked(by: 2, "save", of: "b")
    disk.saveAnswered(by: 2)
    disk.saveAnswered(by: 1)
    #expect(disk.state == "b" && disk.unsaved.isEmpty)
    disk.saveAnswered(by: 3)
    #expect(disk.state == "b")
  }

  @Test func whatIsSentAgainAfterTheRestartIsKnown() async {
    let posts = await RunKey.ofRuns(2)
    var disk = DiskRecord<String>()
    disk.sent(posts[0])
    disk.sent(posts[1])
    disk.restarted()
    disk.saveAsked(by: 1, "save", of: "a")
    disk.saveAnswered(by: 1)
    #expect(disk.state == nil)
    disk.sent(posts[1])
    #expect(disk.forgotten == [posts[0]])
  }
}

@Suite struct FaultPlanTests {
  struct Offline: Error {}

  private struct Load: EffectComponent {
    func requests(in state: Set<Int>) -> Set<Int> { state }
    func run(_ request: Int, send: Send<Int>) async throws(Offline) {}
    func action(for failure: Offline, of request: Int) -> Int { -request }
  }

  /// The requests of a test that answers two of one effect and one of another: 1 goes on after each of its two actions,
  /// 2 is answered by its only one, and "a" goes on after one.
  private func entries() async -> [AnsweredRequests.Entry] {
    let rehearsed = RehearsedTest<Set<Int>, Int>(nil)
    let session = TestSession<Set<Int>, Int>(
      initialState: [1, 2], serving: .answered, options: StoreOptions(),
      reduce: { state, action in if action < 0 { state.remove(-action) } },
      connect: { store in
        store.connect(Load(), named: "load")
        store.connect(when: { _ in Optional("a") }, named: "other") { _, _ in }
      }, rehearsal: rehearsed)
    let store = TestStore(session: session, place: TestPlace())
    store.exhaustivity = .none
    store.send(7, from: 1)
    store.answer(1, with: 8)
    store.send(9, from: "a")
    store.answer(2, with: -2)
    await store.finish()
    return rehearsed.answered.withLock { $0.entries }
  }

  private func texts(_ plan: FaultPlan) -> [String] { plan.singles.map(\.text) }

  @Test("all of a kind first, then halfway, then each request by itself") func order() async {
    let plan = await FaultPlan(of: entries(), limit: 100) { "\($0.request.run.name)" == "load" }
    #expect(
      texts(plan) == [
        "load (Int) fails", "load (Int) never answers", "load (Int) answers late", "load (Int) answers twice",
        "other (String) never answers", "other (String) answers late", "other (String) answers twice",
        "load (Int) fails after 1 action", "load (Int) falls silent after 1 action",
        "load (Int) fails after 2 actions", "load (Int) falls silent after 2 actions",
        "other (String) falls silent after 1 action",
        "load 1 fails", "load 1 never answers", "load 1 answers late", "load 1 answers twice",
        "load 1 fails after 1 action", "load 1 falls silent after 1 action",
        "load 1 fails after 2 actions", "load 1 falls silent after 2 actions",
        "load 2 fails", "load 2 never answers", "load 2 answers late", "load 2 answers twice",
      ])
    #expect(plan.omittedSingles == 0)
  }

  @Test("the bound leaves the faults of all of a kind alone") func bound() async {
    let entries = await entries()
    let plan = FaultPlan(of: entries, limit: 6) { _ in false }
    #expect(plan.singles.count == 6 + 6 && plan.omittedSingles == 3 + 3 + 5 - 6 - 0)
    #expect(texts(plan).suffix(4).first == "other (String) falls silent after 1 action")
    let few = FaultPlan(of: entries, limit: 1) { _ in false }
    #expect(few.singles.count == 6 + 1 && few.omittedSingles == 10)
    #expect(FaultPlan(of: entries, limit: 11) { _ in false }.omittedSingles == 0)
  }

  @Test("pairs strike different requests, those of whole kinds first") func pairs() async {
    let plan = await FaultPlan(of: entries(), limit: 100) { _ in false }
    let pairs = plan.pairs.map { (plan.singles[$0.first], plan.singles[$0.second]) }
    let kinds = plan.singles.filter { $0 == $0.ofAll }
    let ones = plan.singles.filter { !kinds.contains($0) }
    let load = kinds.count { $0.target.kind.effect == "load" }
    let other = kinds.count { $0.target.kind.effect == "other" }
    let first = ones.count { $0.text.hasPrefix("load 1") }
    let second = ones.count { $0.text.hasPrefix("load 2") }
    // Of the two kinds, of one request and the other kind, and of the two requests of one kind.
    let expected = load * other + ones.count * other + first * second
    #expect(pairs.count == expected)
    #expect(pairs.allSatisfy { $0 != $1 && $0.target != $1.target })
    let whole = pairs.prefix(9).map { "\($0.0.text), \($0.1.text)" }
    #expect(whole.first == "load (Int) never answers, other (String) never answers")
    #expect(whole.last == "load (Int) answers twice, other (String) answers twice")
  }
}
