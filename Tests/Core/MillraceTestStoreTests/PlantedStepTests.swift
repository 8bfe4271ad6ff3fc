import Foundation
import Millrace
import MillraceCoverage
import Testing

@testable import MillraceTestStore

/// Bugs planted in small features, which a test store finds, and the mended features, whose tests pass.
@Suite("Planted bugs: test store") struct PlantedStepTests {
  // MARK: A search

  enum Search {
    enum Bug { case keepsOldResults, searchesEmpty, alsoLogs, neverStops }

    struct State: Equatable, Sendable {
      var query = ""
      var results: [String] = []
      var isLogging = false
    }

    enum Action: Equatable, Sendable {
      case typed(String)
      case arrived([String])
      case logged
    }

    static func store(_ bug: Bug?) -> TestStore<State, Action> {
      TestStore(
        initialState: State(),
        reduce: { state, action in
          switch action {
          case .typed(let query):
            if bug != .neverStops || state.query.isEmpty { state.query = query }
            if bug != .keepsOldResults { state.results = [] }
            state.isLogging = bug == .alsoLogs
          case .arrived(let results): (state.query, state.results) = ("", results)
          case .logged: state.isLogging = false
          }
        },
        connect: { store in
          store.connect(when: { $0.query.isEmpty && bug != .searchesEmpty ? nil : $0.query }) { _, _ in }
          store.connect(when: { $0.isLogging ? 1 : nil }) { _, _ in }
        })
    }

    static func failures(_ bug: Bug?) async -> [String] {
      await FailureCapture.failures {
        let store = store(bug)
        for query in ["a", "b"] {
          store.send(.typed(query)) { ($0.query, $0.results) = (query, []) }
          store.answer(query, with: .arrived([query])) { ($0.query, $0.results) = ("", [query]) }
        }
        await store.finish()
      }
      .map(\.message)
    }
  }

  @Test("10: the results of the last query stay") func oldResults() async {
    #expect(await Search.failures(nil) == [])
    #expect(
      await Search.failures(.keepsOldResults) == [
        "The state is not as expected after send(.typed(\"b\")):\n\n  results[0]: unexpected \"a\""
      ])
  }

  @Test("11: an empty query is searched for") func emptyQuery() async {
    #expect(
      await Search.failures(.searchesEmpty) == [
        """
        Left at the end of the test:

          withdrawn by .typed("a") and never named: effect "", asked for on connect
          withdrawn by .typed("b") and never named: effect "", asked for by .arrived(["a"])
          in progress: effect "", asked for by .arrived(["b"]), waits for an answer
        """
      ])
  }

  @Test("12: each query also asks for something that no test expects") func alsoLogs() async {
    let failures = await Search.failures(.alsoLogs)
    #expect(
      failures.first
        == "The state is not as expected after send(.typed(\"a\")):\n\n  isLogging: expected false, is true")
    #expect(
      failures.last
        == "Left at the end of the test:\n\n  in progress: effect 1, asked for by .typed(\"a\"), waits for an answer"
    )
  }

  // MARK: Rows

  enum Rows {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var progress = 0
    }

    struct State: Equatable, Sendable { var rows: KeyedArray<Row> = [Row(id: 1), Row(id: 2)] }

    enum Action: Equatable, Sendable { case progressed(Int, Int) }

    struct Load: Hashable, Sendable { let after: Int }

    /// - Parameters:
    ///   - sendsToFirst: what one row sends reaches the first one.
    ///   - restarts: progress changes the request.
    static func failures(sendsToFirst: Bool = false, restarts: Bool = false) async -> [String] {
      await FailureCapture.failures {
        let store = TestStore<State, Action>(
          initialState: State(),
          reduce: { state, action in
            if case .progressed(let id, let progress) = action { state.rows[id: id]?.progress = progress }
          },
          connect: { store in
            store.connectEach(
              \.rows, action: { (id, action: Int) in .progressed(sendsToFirst ? 1 : id, action) }
            ) { _, row in
              row.connect(when: { Optional(Load(after: restarts ? $0.progress : 0)) }, named: "load") {
                _, _ in
              }
            }
          })
        store.send(50, from: Load(after: 0), in: 2) { $0.rows[id: 2]?.progress = 50 }
        await store.finish(running: Load(after: 0))
      }
      .map(\.message)
    }
  }

  @Test("13: what a row sends reaches another row") func wrongRow() async {
    #expect(await Rows.failures() == [])
    #expect(
      await Rows.failures(sendsToFirst: true) == [
        """
        The state is not as expected after send(Load(after: 0)):

          rows[id: 1].progress: expected 0, is 50
          rows[id: 2].progress: expected 50, is 0
        """
      ])
  }

  @Test("14: progress restarts what makes it") func restarts() async {
    #expect(
      await Rows.failures(restarts: true) == [
        """
        Left at the end of the test:

          in progress: load Load(after: 50) in 2, asked for by .progressed(2, 50), waits for an answer
        """
      ])
  }

  // MARK: Coverage

  /// What request coverage has seen after a test that types two queries and answers the second.
  private func coverage(_ bug: Search.Bug?) async -> [EffectCoverage] {
    let store = Search.store(bug)
    store.exhaustivity = .none
    store.send(.typed("a"))
    store.send(.typed("b"))
    store.answer(bug == .neverStops ? "a" : "b", with: .arrived([]))
    await store.finish()
    return store.session.coverage.withLock { $0.effects }
  }

  @Test("15: a second query that does not stop the first: coverage tells that nothing was stopped")
  func neverStops() async {
    #expect(await coverage(nil).first?.missing == [])
    #expect(await coverage(.neverStops).first?.missing == ["String was never stopped"])
  }

  @Test("16: of two effects without a name, coverage tells which no test reaches") func unnamed() async throws
  {
    let effects = await coverage(nil)
    #expect(effects.map(\.effect) == ["effect", "effect"])
    #expect(effects.map(\.missing) == [[], ["no request of it ever ran"]])
    let lines = effects.compactMap(\.place).compactMap { $0.split(separator: ":").last.flatMap { Int($0) } }
    #expect(lines.count == 2 && lines.first.map { $0 + 1 } == lines.last, "\(lines)")
    #expect(effects[1].text.hasPrefix("effect at MillraceTestStoreTests/PlantedStepTests.swift:"))
    let logging = await coverage(.alsoLogs)[1]
    #expect(logging.missing == ["Int never sent anything", "Int was never stopped"])
  }
}
