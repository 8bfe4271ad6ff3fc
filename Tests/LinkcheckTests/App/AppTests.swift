import Foundation
import MillraceEffects
import Testing

@testable import linkcheck

@Suite("The program's state")
struct AppTests {
  private let site = FakeSite(answers: ["http://a/": .html("<a href=1><a href=2>"), "http://a/1": .html("")])

  private func start(_ place: Checkpoints.Place = .nowhere) -> App.State {
    App.State(
      crawl: Crawl.State(scope: Scope(site: "http://a/")),
      checkpoints: .init(target: "http://a/", place: place))
  }

  private let named = Checkpoints.Place.file("f", isNamed: true)
  private let tick = App.Action.status(.fired("status", TimerTick(count: 1, due: .now)))

  private func loaded(_ stored: StoredValue<Checkpoint> = StoredValue()) -> App.Action {
    .checkpoints(.loading(.loaded(stored)))
  }

  private func step(_ state: inout App.State) {
    guard let action = site.possibleActions(of: state.crawl).first else { return }
    App.reduce(&state, .crawl(action))
  }

  private func save(_ state: inout App.State) {
    guard let wanted = state.checkpoints.saving.wanted else { return }
    App.reduce(&state, .checkpoints(.saving(.saved(generation: wanted.generation))))
  }

  @Test("nothing is fetched before it is known what was kept")
  func loading() {
    var state = start(named)
    #expect(state.checkpoints.loadAttempt == 1)
    App.reduce(&state, tick)
    #expect(state.crawl.phase == .idle)
    App.reduce(&state, loaded())
    #expect(state.checkpoints.loadAttempt == nil)
    #expect(state.crawl.exchanges.count == 1)
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
      #expect(state.checkpoints.saving.value.findings == state.crawl.findings)
    }
    #expect(state.crawl.isFinished)
    #expect(state.outcome == nil)
    #expect(state.counts.saved == 0)
    save(&state)
    #expect(state.outcome == .finished)
    #expect(state.counts == Status.Counts(checked: 3, known: 3, troubles: 1, saved: 3))
    #expect(state.status.isOver && state.status.timers.isEmpty)
  }

  @Test("what was kept is gone on from, and told")
  func resume() {
    var state = start(named)
    let checkpoint = Checkpoint(target: "http://a/", findings: ["http://a/1": .page(Document())])
    App.reduce(&state, loaded(StoredValue(value: checkpoint, generation: 7, source: .current)))
    #expect(state.status.notices == ["going on from kept progress: 1 addresses are known"])
    #expect(state.crawl.exchanges.map(\.url) == ["http://a/"])
    #expect(state.counts.saved == 1)
    step(&state)
    step(&state)
    #expect(state.checkpoints.saving.generation == 8)
  }

  @Test("started over, nothing of what was kept counts, whatever it is")
  func startOver() {
    let damage = DamagedFile(path: "f", setAsideAs: "f.damaged", reason: .wrongChecksum)
    let kept = ["http://a/1": Finding.page(Document())] as [Address: Finding]
    for stored in [
      StoredValue(value: Checkpoint(target: "http://a/", findings: kept), generation: 7, source: .current),
      StoredValue(value: Checkpoint(target: "http://b/", findings: kept), generation: 7, source: .current),
      StoredValue(damaged: [damage]),
    ] {
      var state = App.State(
        crawl: Crawl.State(scope: Scope(site: "http://a/")),
        checkpoints: .init(target: "http://a/", place: named, startsOver: true))
      App.reduce(&state, loaded(stored))
      while !site.possibleActions(of: state.crawl).isEmpty { step(&state) }
      #expect(state.counts.saved == 0)
      // A number that was given before is not given again.
      #expect(state.checkpoints.saving.generation == stored.generation + 3)
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
    #expect(Signal.interrupt.exitStatus == 130)
    #expect(Signal.terminate.exitStatus == 143)
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
    let other = Checkpoint(target: "http://b/")
    let damage = DamagedFile(path: "f", setAsideAs: "f.damaged", reason: .wrongChecksum)
    let cases: [(App.Action, String)] = [
      (
        .checkpoints(.loading(.failed(.permission("f"), attempt: 1))),
        "progress cannot be kept: not permitted: f"
      ),
      (
        loaded(StoredValue(value: other, generation: 1, source: .current)),
        "the progress file belongs to a check of http://b/, not of http://a/"
      ),
      (
        loaded(StoredValue(damaged: [damage])),
        "f is damaged or no progress file; it has been kept as f.damaged"
      ),
    ]
    for (action, message) in cases {
      var state = start(named)
      App.reduce(&state, action)
      #expect(state.outcome == .failed(message))
      #expect(state.crawl.phase == .idle)
      #expect(state.checkpoints.saving.wanted == nil)
      #expect(state.status.notices.isEmpty)
    }
  }

  @Test("where nobody named a file, the check goes on without, and says so once")
  func unnamed() {
    var state = start(.file("f", isNamed: false))
    App.reduce(&state, .checkpoints(.loading(.failed(.locked("f"), attempt: 1))))
    while !site.possibleActions(of: state.crawl).isEmpty { step(&state) }
    #expect(state.outcome == .finished)
    #expect(state.status.notices == ["progress cannot be kept: in use by another process: f"])
    #expect(state.checkpoints.saving.wanted == nil)
  }

  @Test("a disk that is full is told once, tried again with the next finding, and ends nothing")
  func diskFull() {
    var state = start(named)
    App.reduce(&state, loaded())
    while !site.possibleActions(of: state.crawl).isEmpty {
      step(&state)
      guard let wanted = state.checkpoints.saving.wanted else { continue }
      let failed = StorageEvent.failed(.diskFull("f"), generation: wanted.generation, attempt: wanted.attempt)
      App.reduce(&state, .checkpoints(.saving(failed)))
    }
    #expect(state.outcome == .finished)
    #expect(state.checkpoints.isLosing)
    #expect(state.checkpoints.saving.generation > 1)
    #expect(state.status.notices == ["progress was not saved: no space left on device: f"])
  }

  @Test("unless it is urgent, findings are kept when they have grown by a fiftieth")
  func growth() {
    var checkpoints = Checkpoints.State(target: "t", place: named)
    Checkpoints.reduce(&checkpoints, .loading(.loaded(StoredValue())))
    func findings(_ count: Int) -> [Address: Finding] {
      Dictionary(uniqueKeysWithValues: (0..<count).map { (Address(file: "/\($0)"), Finding.exists) })
    }
    checkpoints.keep(findings(100), isUrgent: false)
    #expect(checkpoints.saving.generation == 1)
    checkpoints.keep(findings(102), isUrgent: false)
    #expect(checkpoints.saving.generation == 1)
    checkpoints.keep(findings(102), isUrgent: true)
    #expect(checkpoints.saving.generation == 2)
    checkpoints.keep(findings(105), isUrgent: false)
    #expect(checkpoints.saving.generation == 3)
    checkpoints.keep(findings(105), isUrgent: true)
    #expect(checkpoints.saving.generation == 3)
  }

  @Test("what is kept comes back as it was")
  func coding() throws {
    let document = Document(links: [Link(text: "b", line: 2)], anchors: ["x"], base: "/")
    let checkpoint = Checkpoint(
      target: "http://a/",
      findings: [
        "http://a/": .page(document), "http://a/1": .exists, "http://a/2": .redirect(to: "http://b/"),
        "http://a/3": .oversized(limit: 3), "http://a/4": .trouble(Trouble(.timeout, "no answer")),
      ])
    let data = try JSONEncoder().encode(checkpoint)
    #expect(try JSONDecoder().decode(Checkpoint.self, from: data) == checkpoint)
  }
}
