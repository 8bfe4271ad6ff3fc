import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import RandomSession
import TestSupport
import Testing

@testable import timetravel

/// A bug of the time travel is found by an explorer, and in the recording of a long session.
@Suite("The time travel, explored, recorded and shrunk") struct TimeTravelSessionTests {
  private func explorer(
    _ reduce: @escaping Reducer<TimeTravel, TimeTravel.Action>,
    lines: [String] = ["add tea", "find te", "<", ">", "live", "branch"]
  ) -> Explorer<TimeTravel, TimeTravel.Action> {
    Explorer(initialState: TimeTravel(), comparing: Self.seen, reduce: reduce, connect: Self.connect)
      .userActions { _ in lines.map { .typed($0) } }
      .outcomes(of: Question.self, sending: ShoppingList.Action.self) { question in
        switch question {
        case .search(let query): [.answers(.found(query, ["\(query)a"]))]
        case .price(let item): [.answers(.priced(item, .cents(240))), .answers(.priced(item, .unknown))]
        }
      }
      .always("it is known where runs were stopped") { program in
        program.list.isLive || program.stops.contains(program.list.lastNumber)
      }
      .printingTests(using: "testStore()", comparing: "seen")
  }

  @Sendable private static func connect(to store: Store<TimeTravel, TimeTravel.Action>) {
    TimeTravel.connect(to: store, shop: Shop(clock: TestClock()))
  }

  /// What tells states apart: the steps, the one that is shown, what is held, and where runs were stopped.
  @Sendable private static func seen(_ program: TimeTravel) -> [String] {
    program.list.steps.map { "\($0.number): \($0.action)" } + program.list.held.map { "held: \($0)" }
      + ["at \(program.list.number)", "stops \(program.stops.sorted())"]
  }

  private func seen(_ program: TimeTravel) -> [String] { Self.seen(program) }

  /// The planted bug: what is held makes the program forget where runs were stopped.
  @Sendable private static func forgetfulReduce(_ program: inout TimeTravel, _ action: TimeTravel.Action) {
    TimeTravel.reduce(&program, action)
    if !program.list.held.isEmpty { program.stops = [] }
  }

  private func testStore(
    _ reduce: @escaping Reducer<TimeTravel, TimeTravel.Action> = Self.forgetfulReduce
  ) -> TestStore<TimeTravel, TimeTravel.Action> {
    TestStore(initialState: TimeTravel(), reduce: reduce, connect: Self.connect)
  }

  @Test("forgotten stops are found in three moves, and so in the recording of a long session by chance")
  func forgottenStops() async throws {
    let shortest = try #require(explorer(Self.forgetfulReduce).explore(depth: 3).counterexamples.first)
    #expect(shortest.steps.count == 3, "\(shortest)")
    let lines =
      Array(repeating: "add tea", count: 60)
      + ["add milk", "drop tea", "drop milk", "find te", "find", "<", ">", "live", "branch"]
    let shrunk = try await explorer(Self.forgetfulReduce, lines: lines).shrunkSession(seed: 12)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves == 400 && found.steps.count == 3, "\(shrunk)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await printedTest { testStore() } }
    await printedTest { testStore(TimeTravel.reduce) }
  }

  /// The test to which the session is shrunk.
  private func printedTest(_ testStore: () -> TestStore<TimeTravel, TimeTravel.Action>) async {
    let store = testStore()
    store.exhaustivity = .none
    store.send(.typed("add tea"))
    store.send(.typed("<"))
    store.send(.typed("add tea"))
    let holds: (TimeTravel) -> Bool = { program in
      program.list.isLive || program.stops.contains(program.list.lastNumber)
    }
    #expect(holds(store.state))
    await store.finish()
  }
}

@Suite("Random sessions of the time travel", .timeLimit(.minutes(10))) struct RandomSessionTests {
  private func testStore(seed: UInt64) -> TestStore<TimeTravel, TimeTravel.Action> {
    let store = TestStore(initialState: TimeTravel(), seed: seed, reduce: TimeTravel.reduce) {
      TimeTravel.connect(to: $0, shop: Shop(clock: TestClock()))
    }
    store.exhaustivity = .none
    return store
  }

  private func line(_ random: inout SeededRandom) -> String {
    let name = ["tea", "milk", "jam"].randomElement(using: &random) ?? ""
    return switch Int.random(in: 0..<20, using: &random) {
    case 0..<5: "add \(name)"
    case 5..<7: "drop \(name)"
    case 7..<10: "find \(name.prefix(Int.random(in: 0...2, using: &random)))"
    case 10..<13: "<"
    case 13..<15: ">"
    case 15: "to \(Int.random(in: 0...12, using: &random))"
    case 16..<19: "live"
    default: "branch"
    }
  }

  private func answer(_ question: Question, in store: TestStore<TimeTravel, TimeTravel.Action>) {
    switch question {
    case .search(let query): store.answer(question, with: ShoppingList.Action.found(query, ["\(query)…"]))
    case .price(let item): store.answer(question, with: ShoppingList.Action.priced(item, .cents(100)))
    }
  }

  @Test("nothing runs while one looks back, and otherwise what the present asks for; the lanes say the same")
  func sessions() async {
    var looks = 0
    for seed in 0..<UInt64(TestSize.count(30, full: 300)) {
      var random = SeededRandom(seed: seed)
      let store = testStore(seed: seed)
      var typed: [String] = []
      for _ in 0..<30 {
        let running = store.inProgress().requests(of: Question.self)
        if Int.random(in: 0..<3, using: &random) == 0, let question = running.randomElement(using: &random) {
          typed.append("(\(question))")
          answer(question, in: store)
        } else {
          let line = line(&random)
          typed.append(line)
          store.send(.typed(line))
        }
        let program = store.state
        let asked = Set(program.list.present.questions)
        let lanes = Lane.lanes(of: program.list, stops: program.stops)
        let drawn = lanes.filter { $0.cells.last?.runsAfter == true }
        let isRight =
          Set(store.inProgress().requests(of: Question.self)) == (program.list.isLive ? asked : [])
          && Set(drawn.map(\.question)) == asked
          && (program.list.isLive || drawn.allSatisfy { $0.cells.last?.isStopped == true })
        if !program.list.isLive { looks += 1 }
        if !isRight {
          Issue.record("seed \(seed), after \(typed): \(store.inProgress()), \(Drawing.lines(of: program))")
          break
        }
      }
      await store.finish()
    }
    #expect(looks > TestSize.count(100, full: 1000))
  }
}
