import Millrace
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import Testing

/// A test that loops until nothing is asked for ends in every rerun, and the report says where it looped.
@Suite struct EndlessRerunTests {
  /// Pages that are asked for one after the other; a failed one is asked for again.
  struct State: Codable, Equatable, Sendable {
    var wanted: Int? = 1
    var tries = 0
    var shown: [Int] = []
  }

  enum Action: Equatable, Sendable {
    case arrived(Int)
    case failed
  }

  struct Load: Hashable, Sendable {
    let page: Int
    let attempt: Int
  }

  struct Offline: Error {}

  struct Loading: EffectComponent {
    func requests(in state: State) -> Set<Load> {
      state.wanted.map { [Load(page: $0, attempt: state.tries)] } ?? []
    }
    func run(_ request: Load, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of request: Load) -> Action { .failed }
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .arrived(let page):
      state.shown.append(page)
      state.wanted = page < 3 ? page + 1 : nil
    case .failed: state.tries += 1
    }
  }

  private var matrix: FaultMatrix<State, Action> {
    FaultMatrix(initialState: State(), reduce: Self.reduce, connect: { $0.connect(Loading()) })
      .failures(of: Load.self) { _ in Offline() }.pairs(atMost: 0)
      .invariant("in order") { $0.shown == $0.shown.sorted() }
  }

  @Test(arguments: ["running", "inProgress", "state"])
  func aLoopUntilNothingIsAskedForEnds(_ kind: String) async {
    let report = await matrix.run { store in
      store.exhaustivity = .none
      func wanted() -> Load? {
        switch kind {
        case "running": store.running.first?.base as? Load
        case "inProgress": store.inProgress().all.first as? Load
        default: store.state.wanted.map { Load(page: $0, attempt: store.state.tries) }
        }
      }
      while let load = wanted() { store.answer(load, with: .arrived(load.page), line: 70) }
      await store.finish()
    }
    #expect(!report.isClean && report.breaks.isEmpty, "\(report)")
    // All loads fail, or never answer, or answer late.
    #expect(report.endless.filter { $0.contains("(EndlessRerunTests.Load)") }.count == 3, "\(report)")
    let text = """
      when EndlessRerunTests.Loading (EndlessRerunTests.Load) never answers, the test does not end: it goes on with \
      answer(Load(page: 1, attempt: 0)) at MillraceFaultsTests/EndlessRerunTests.swift:70, \
      in progress: EndlessRerunTests.Loading Load(page: 1, attempt: 0), asked for on connect
      """
    #expect(report.endless.contains(text), "\(report)")
    #expect(report.description.contains("\n  \(text)"))
  }

  @Test func aLoopThatMakesNoStepEnds() async {
    let report = await matrix.singles(atMost: 0).pairs(atMost: 0).run { store in
      store.exhaustivity = .none
      while let load = store.running.first?.base as? Load {
        // Knows nothing of a second attempt.
        if load.attempt == 0 { store.answer(load, with: .arrived(load.page)) }
      }
      await store.finish()
    }
    #expect(
      report.endless.contains { $0.contains("it goes on with a look at what is in progress,") }, "\(report)")
  }

  @Test func aLoopAfterACrashEnds() async {
    let report = await CrashAnywhere(
      initialState: State(), reduce: Self.reduce,
      persisting: { state in
        var left = state
        left.tries = 1
        return left
      }, connect: { $0.connect(Loading()) }
    )
    .resetting(\.tries)
    .run { store in
      store.exhaustivity = .none
      while !store.running.isEmpty {
        let page = store.state.wanted ?? 0
        store.answer(Load(page: page, attempt: 0), with: .arrived(page))
      }
      await store.finish()
    }
    #expect(!report.isClean)
    #expect(report.description.contains("the test does not end: it goes on with answer(Load("), "\(report)")
  }

  @Test func whatALoopAfterACrashWaitsForIsNamedByAnActionOfTheRestartedProgram() async {
    let report = await CrashAnywhere<Int, Int>(
      initialState: 0, reduce: { $0 += $1 }, persisting: { $0 == 5 ? 100 : $0 },
      connect: { $0.connect(when: { $0 == 107 ? "load" : nil }, named: "loader") { _, _ in } }
    )
    .run { store in
      store.exhaustivity = .none
      store.send(5)
      store.send(7)
      while !store.running.isEmpty { store.answer("another", with: 1) }
      await store.finish()
    }
    #expect(report.description.contains(#"in progress: loader "load", asked for by 7"#), "\(report)")
  }

  @Test func aTestOfManyStepsIsNotTakenForEndless() async {
    let report = await matrix.run { store in
      store.exhaustivity = .none
      for _ in 0..<500 { store.expect(running: [Load(page: 1, attempt: 0)]) }
      for page in 1...3 { store.answer(Load(page: page, attempt: 0), with: .arrived(page)) }
      await store.finish()
    }
    #expect(report.isClean, "\(report)")
  }

  @Test func aLoopThatNothingElseEndsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = await CrashAnywhere<Int, Int>(
        initialState: 0, reduce: { $0 += $1 }, persisting: { _ in 5 },
        connect: { $0.connect(when: { $0 == 3 ? "load" : nil }, named: "loader") { _, _ in } }, line: 12
      )
      .run { store in
        store.send(1) { $0 = 1 }
        while store.state != 1 { store.answer("load", with: 1, line: 13) }
        await store.finish()
      }
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(
      text.contains(
        """
        A rerun of the test of MillraceFaultsTests/EndlessRerunTests.swift:12 does not end: it goes on with \
        answer("load") at MillraceFaultsTests/EndlessRerunTests.swift:13, in progress: nothing
        """), "\(text)")
  }
}
