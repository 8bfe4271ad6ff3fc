import Millrace
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

@testable import timetravel

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
