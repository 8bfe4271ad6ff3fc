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
