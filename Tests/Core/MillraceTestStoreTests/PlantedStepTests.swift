import Millrace
import MillraceCoverage
import MillraceTestStore
import MillraceTesting
import Testing

/// Bugs planted in small features, which a test store finds, and the mended features, whose tests pass.
@Suite("Planted bugs: test store") struct PlantedStepTests {
  // MARK: A search

  enum Search {
    enum Bug { case alsoLogs, neverStops }

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
            state.results = []
            state.isLogging = bug == .alsoLogs
          case .arrived(let results): (state.query, state.results) = ("", results)
          case .logged: state.isLogging = false
          }
        },
        connect: { store in
          store.connect(when: { $0.query.isEmpty ? nil : $0.query }) { _, _ in }
          store.connect(when: { $0.isLogging ? 1 : nil }) { _, _ in }
        })
    }
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
    return store.coverage.effects
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
