import Foundation
import MillraceEffects
import MillraceStorage
import MillraceSystem
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("The program's state")
struct AppTests {
  private let site = FakeSite(answers: ["http://a/": .html("<a href=1><a href=2>"), "http://a/1": .html("")])

  /// A program that listens to the signals that stop it.
  private func start(_ place: Checkpoints.Place = .nowhere, startsOver: Bool = false) -> App.State {
    var state = App.State(
      crawl: Crawl.State(scope: Scope(site: "http://a/")),
      checkpoints: .init(check: check(), place: place, startsOver: startsOver))
    for signal in state.stop.awaited { App.reduce(&state, .stop(.listening(signal))) }
    return state
  }

  private func check(of target: String = "http://a/", startedAt: Int = 0) -> KeptCheck {
    KeptCheck(target: target, startedAt: startedAt)
  }

  /// What a file has in which an earlier check has kept its findings.
  private func stored(
    _ findings: [Address: Finding], by earlier: KeptCheck? = nil, damaged: [DamagedFile] = []
  ) -> StoredEntries<KeptKey, KeptEntry> {
    let earlier = earlier ?? check()
    var entries: [KeptKey: KeptEntry] = [.check: .check(earlier)]
    for (address, finding) in findings {
      entries[.address(address)] = .finding(finding, at: earlier.startedAt)
    }
    return StoredEntries(entries: entries, damaged: damaged)
  }

  /// The findings that wait to be written, in the order of their addresses.
  private func unsaved(_ state: App.State) -> [Address] {
    state.checkpoints.backlog.changes.keys.compactMap {
      if case .address(let address) = $0 { address } else { nil }
    }
    .sorted()
  }

  private let named = Checkpoints.Place.file("f", isNamed: true)
  private let tick = App.Action.status(.fired("status", TimerTick(count: 1, due: .zero)))

  private func loaded(_ stored: StoredEntries<KeptKey, KeptEntry> = StoredEntries()) -> App.Action {
    .checkpoints(.loaded(stored))
  }

  private func step(_ state: inout App.State) {
    guard let action = site.possibleActions(of: state.crawl).first else { return }
    App.reduce(&state, .crawl(action))
  }

  private func save(_ state: inout App.State) {
    App.reduce(&state, .checkpoints(.saved(generation: state.checkpoints.backlog.generation)))
  }

  @Test("nothing is fetched before it is known what was kept")
  func loading() {
    var state = start(named)
    #expect(state.checkpoints.backlog.wanted == .load(attempt: 1))
    App.reduce(&state, tick)
    #expect(state.crawl.phase == .idle)
    App.reduce(&state, loaded())
    #expect(state.crawl.exchanges.count == 1)
    #expect(state.status.notices == ["checking http://a/"])
  }

  @Test("nothing is begun or told before signals are listened to, or cannot be")
  func listening() {
    var state = App.State(
      crawl: Crawl.State(scope: Scope(site: "http://a/")),
      checkpoints: .init(check: check(), place: .file("f", isNamed: false)))
    App.reduce(&state, .checkpoints(.failed(.locked("f"), generation: 0, attempt: 1)))
    App.reduce(&state, .stop(.listening(.interrupt)))
    App.reduce(&state, .stop(.failed(.hangup, SignalFailure(errorNumber: 24))))
    #expect(state.crawl.phase == .idle)
    #expect(state.status.notices.isEmpty)
    App.reduce(&state, .stop(.listening(.terminate)))
    #expect(state.crawl.phase == .running)
    #expect(state.status.notices.count == 2)
  }

  @Test("with nothing to keep, the crawl begins at once")
  func nothingKept() {
    #expect(start().crawl.exchanges.count == 1)
  }

  @Test("each finding is kept, and the check is over when the last is on the medium")
  func keeping() {
    var state = start(named)
    App.reduce(&state, loaded())
    while !site.possibleActions(of: state.crawl).isEmpty {
      step(&state)
      #expect(unsaved(state) == state.crawl.findings.keys.sorted())
    }
    #expect(state.crawl.isFinished)
    #expect(state.outcome == nil)
    #expect(state.counts.saved == 0)
    save(&state)
    #expect(state.outcome == .finished)
    #expect(state.counts == Status.Counts(checked: 3, known: 3, broken: 1, saved: 3))
    #expect(state.status.isOver && state.status.timers.isEmpty)
  }

  @Test("what was kept is gone on from, and told; only what is new is written")
  func resume() {
    var state = start(named)
    let page = Finding.page(Page(markup: .html, size: 0))
    App.reduce(&state, loaded(stored(["http://a/1": page])))
    #expect(
      state.status.notices
        == ["checking http://a/", "going on from kept progress: 1 addresses are known"])
    #expect(state.crawl.exchanges.map(\.url) == ["http://a/"])
    #expect(state.counts.saved == 1)
    step(&state)
    step(&state)
    #expect(unsaved(state) == ["http://a/"])
    #expect(state.counts.saved == 1)
    save(&state)
    #expect(state.counts.saved == 2)
  }

  @Test("what is too old, or might be another finding with other settings, is looked at again")
  func unfitFindings() {
    let page = Finding.page(Page(markup: .html, size: 2000))
    let timeout = Finding.trouble(Trouble(.timeout, ""))
    func known(
      _ finding: Finding, keptBy earlier: KeptCheck, _ change: (inout KeptCheck) -> Void = { _ in }
    ) -> Bool {
      var now = earlier
      now.startedAt += 3600
      change(&now)
      return !KeptFindings(stored(["http://a/": finding], by: earlier).entries, for: now).findings.isEmpty
    }
    let earlier = check(startedAt: 1000)
    for finding in [page, timeout, .exists, .oversized(limit: earlier.largestPage)] {
      #expect(known(finding, keptBy: earlier))
      #expect(known(finding, keptBy: earlier) { $0.startedAt = 0 })
      #expect(known(finding, keptBy: earlier) { $0.longestAge = 3600 })
      #expect(!known(finding, keptBy: earlier) { $0.longestAge = 3599 })
      #expect(!known(finding, keptBy: earlier) { $0.version = "0" })
    }
    // A clock that was set back by days makes nothing older.
    #expect(known(page, keptBy: check(startedAt: 1_000_000)) { $0.startedAt = 0 })
    #expect(!known(page, keptBy: earlier) { $0.largestPage = 1999 })
    #expect(known(page, keptBy: earlier) { $0.largestPage = 2000 })
    #expect(!known(.oversized(limit: 1), keptBy: earlier))
    #expect(!known(timeout, keptBy: earlier) { $0.timeoutInSeconds = 1 })
    #expect(known(page, keptBy: earlier) { $0.timeoutInSeconds = 1 })
  }

  @Test("what is gone on from is told with its age, and with what is looked at again")
  func keptSummary() {
    let earlier = check(startedAt: 1000)
    var entries = stored(["http://a/": .exists, "http://a/1": .oversized(limit: 1)], by: earlier).entries
    entries[.address("http://a/2")] = .finding(.exists, at: 0)
    var now = check(startedAt: 8200)
    now.longestAge = 7200
    #expect(
      KeptFindings(entries, for: now).summary
        == "going on from kept progress: 1 addresses are known, some for 2 hours, 1 are too old, "
        + "1 were looked at with other settings")
    #expect(KeptFindings([:], for: now).summary == nil)
    #expect(KeptFindings(stored([:]).entries, for: now).summary == nil)
    #expect(
      "\(Age(seconds: 59)), \(Age(seconds: 60)), \(Age(seconds: 200_000))"
        == "less than a minute, 1 minute, 2 days")
  }

  @Test("started over, nothing of what was kept counts, whatever it is, and it leaves the file")
  func startOver() {
    let kept: [Address: Finding] = ["http://a/1": .exists, "http://a/9": .exists]
    for stored in [stored(kept), stored(kept, by: check(of: "http://b/"))] {
      var state = start(named, startsOver: true)
      App.reduce(&state, loaded(stored))
      #expect(state.checkpoints.backlog.changes[.address("http://a/9")] == .removed)
      while !site.possibleActions(of: state.crawl).isEmpty { step(&state) }
      #expect(state.counts.saved == 0)
      if case .set(.finding(.page, _))? = state.checkpoints.backlog.changes[.address("http://a/1")] {
      } else {
        Issue.record("the new finding is not to be written")
      }
      save(&state)
      #expect(state.outcome == .finished)
    }
  }

  @Test("a signal stops the crawl at once, and the program once all is kept")
  func signal() {
    var state = start(named)
    App.reduce(&state, loaded())
    step(&state)
    step(&state)
    #expect(state.stop.awaited == [.interrupt, .terminate, .hangup])
    App.reduce(&state, .stop(.received(.interrupt)))
    #expect(state.crawl.exchanges.isEmpty)
    #expect(state.stop.awaited.isEmpty)
    #expect(state.outcome == nil)
    save(&state)
    #expect(state.outcome == .stopped(.interrupt))
    App.reduce(&state, .stop(.received(.terminate)))
    #expect(state.outcome == .stopped(.interrupt))
    #expect(ProcessSignal.interrupt.exitStatus == 130)
    #expect(ProcessSignal.terminate.exitStatus == 143)
  }

  @Test("a signal before anything was loaded ends the program too")
  func earlySignal() {
    var state = start(named)
    App.reduce(&state, .stop(.received(.terminate)))
    #expect(state.outcome == .stopped(.terminate))
    App.reduce(&state, loaded())
    #expect(state.crawl.exchanges.isEmpty)
  }

  @Test("a progress file that was named and cannot be used is a failure, and nothing is written over it")
  func refusals() {
    let cases: [(App.Action, String)] = [
      (
        .checkpoints(.failed(.permission("f"), generation: 0, attempt: 1)),
        "progress cannot be kept: not permitted: f"
      ),
      (
        .checkpoints(.failed(.newerVersion("f", found: 2, known: 1), generation: 0, attempt: 1)),
        "progress cannot be kept: written by a newer version of this program: f"
      ),
      (
        loaded(stored([:], by: check(of: "http://b/"))),
        "the progress file belongs to a check of http://b/, not of http://a/"
      ),
    ]
    for (action, message) in cases {
      var state = start(named)
      App.reduce(&state, action)
      #expect(state.outcome == .failed(message))
      #expect(state.crawl.phase == .idle)
      #expect(!state.checkpoints.isKeeping)
      #expect(state.checkpoints.backlog.changes.isEmpty)
      #expect(state.status.notices.isEmpty)
    }
  }

  @Test("a damaged file is told, and what can be read of it is gone on from", arguments: [true, false])
  func damaged(isNamed: Bool) {
    let damage = DamagedFile(path: "f", setAsideAs: "f.damaged", reason: .wrongChecksum)
    var state = start(.file("f", isNamed: isNamed))
    App.reduce(&state, loaded(stored(["http://a/1": .exists], damaged: [damage])))
    #expect(
      state.status.notices == [
        "checking http://a/", "going on from kept progress: 1 addresses are known",
        "f is damaged; it has been kept as f.damaged",
      ])
    #expect(state.crawl.phase == .running)
  }

  @Test("where nobody named a file, the check goes on without, says so once, and owns no file")
  func unnamed() {
    var state = start(.file("f", isNamed: false))
    App.reduce(&state, .checkpoints(.failed(.locked("f"), generation: 0, attempt: 1)))
    while !site.possibleActions(of: state.crawl).isEmpty { step(&state) }
    #expect(state.outcome == .finished)
    #expect(
      state.status.notices
        == ["checking http://a/", "progress cannot be kept: in use by another process: f"])
    #expect(state.checkpoints.backlog.changes.isEmpty)
    #expect(!state.checkpoints.isKeeping)
    #expect(state.checkpoints.isLosing)
  }

  @Test("a disk that is full is told once, tried again with the next finding, and ends nothing")
  func diskFull() {
    var state = start(named)
    App.reduce(&state, loaded())
    var attempts: Set<UInt64> = []
    while !site.possibleActions(of: state.crawl).isEmpty {
      step(&state)
      guard case .append(let append)? = state.checkpoints.backlog.wanted else { continue }
      attempts.insert(append.generation)
      let failed = Checkpoints.Action.failed(
        .diskFull("f"), generation: append.generation, attempt: append.attempt)
      App.reduce(&state, .checkpoints(failed))
    }
    #expect(state.outcome == .finished)
    #expect(state.checkpoints.isLosing)
    #expect(attempts.count > 1)
    #expect(
      state.status.notices
        == ["checking http://a/", "progress was not saved: no space left on device: f"])
  }

  @Test("what is kept comes back as it was")
  func coding() throws {
    let html = """
      <h1 id=x></h1><h2 id="a b"></h2><a href=b#x>b</a>
      <a href="http://">none</a><form method=post action=/c></form><a href=/d?e>d</a>
      """
    var page = Page.html(html, at: "http://a/")
    page.symbols = ["Store"]
    let entries: [KeptEntry] =
      [
        .page(page), .exists, .redirect(to: "http://b/"), .oversized(limit: 3),
        .trouble(Trouble(.timeout, "no answer")),
      ].map { .finding($0, at: 7) } + [.check(check())]
    let format = JournalFormat<KeptKey, KeptEntry>.progress(of: "http://a/")
    for entry in entries { #expect(try format.decodeValue(try format.encodeValue(entry), 1) == entry) }
    for key in [KeptKey.check, .address("http://a/b%20c")] {
      #expect(try format.decodeKey(try format.encodeKey(key), 1) == key)
    }
    #expect(throws: KeptKeyError.self) { try format.decodeKey(Data("nowhere".utf8), 1) }
  }

  @Test("what is kept has no password, and comes back with that of the check's own address alone")
  func passwords() throws {
    let start: Address = "http://u:se%22cret@a/x"
    let format = JournalFormat<KeptKey, KeptEntry>.progress(of: start)
    let page = Page.html("<a href=/b>b</a><a href=http://u:se%22cret@a/c>c</a>", at: start)
    for entry in [KeptEntry.finding(.page(page), at: 7), .check(check(of: start.text))] {
      let data = try format.encodeValue(entry)
      #expect(!String(decoding: data, as: UTF8.self).contains("cret"))
      #expect(try format.decodeValue(data, 1) == entry)
    }
    let key = try format.encodeKey(.address(start))
    #expect(String(decoding: key, as: UTF8.self) == "http://u:***@a/x")
    #expect(try format.decodeKey(key, 1) == .address(start))

    let site = FakeSite(answers: [
      "http://u:p@a/": .html("<a href=1><a href=2><a href=3>"), "http://u:p@a/1": .html("<a href=/>"),
      "http://u:p@a/2": .html("<a href=http://u:q@a/>"), "http://u:p@a/3": .redirect("http://v:p@b/"),
      "http://u:q@a/": .html(""), "http://v:p@b/": .html(""),
    ])
    var state = Crawl.State(scope: Scope(site: "http://u:p@a/"))
    Crawl.reduce(&state, .began(knowing: [:]))
    site.crawl(&state)
    #expect(state.findings.count == 6)
    #expect(state.findings.keys.filter(state.isWorthKeeping).sorted() == ["http://u:p@a/", "http://u:p@a/1"])
  }
}
