import Millrace
import MillraceCollections
import MillraceTestStore
import MillraceTesting
import Testing

@testable import timetravel

@Suite("The time travel's reducer and effects", .timeLimit(.minutes(10))) struct TimeTravelTests {
  private let clock = TestClock()

  private func testStore(serving: RunServing = .answered) -> TestStore<TimeTravel, TimeTravel.Action> {
    let store = TestStore(initialState: TimeTravel(), serving: serving, reduce: TimeTravel.reduce) {
      [clock] in
      TimeTravel.connect(to: $0, shop: Shop(clock: clock))
    }
    store.exhaustivity.remove(.state)
    return store
  }

  @Test("looking back stops what runs and holds what is typed; the return asks for both")
  func lookingBack() async {
    let store = testStore()
    store.send(.typed("add tea"))
    store.expect(running: Question.price("tea"))
    store.send(.typed("<"))
    store.expect(stopped: Question.price("tea"))
    store.send(.typed("add milk"))
    #expect(store.state.list.held == [.added("milk")])
    #expect(store.state.list.state.items.isEmpty)
    store.expect(running: [] as [Question])
    store.send(.typed("live"))
    #expect(store.state.list.present.items.map(\.id) == ["tea", "milk"])
    store.answer(Question.price("tea"), with: ShoppingList.Action.priced("tea", .cents(240)))
    store.answer(Question.price("milk"), with: ShoppingList.Action.priced("milk", .cents(120)))
    #expect(store.state.list.present.items.map(\.price) == [.cents(240), .cents(120)])
    await store.finish()
  }

  @Test("a branch asks for what its first state asks for")
  func branch() async {
    let store = testStore()
    store.send(.typed("add tea"))
    store.answer(Question.price("tea"), with: ShoppingList.Action.priced("tea", .cents(240)))
    store.send(.typed("to 1"))
    store.expect(running: [] as [Question])
    store.send(.typed("branch"))
    store.expect(running: Question.price("tea"))
    store.answer(Question.price("tea"), with: ShoppingList.Action.priced("tea", .unknown))
    #expect(store.state.list.present.items.map(\.price) == [.unknown])
    #expect(store.state.list.branches.count == 1)
    await store.finish()
  }

  @Test("the next query stops the search for the last one, and a dropped item its lookup")
  func stopped() async {
    let store = testStore()
    store.send(.typed("add tea"))
    store.send(.typed("find te"))
    store.send(.typed("find tea"))
    store.expect(stopped: Question.search("te"))
    store.send(.typed("drop tea"))
    store.expect(stopped: Question.price("tea"))
    await store.finish(running: Question.search("tea"))
  }

  @Test("the shop answers a search after 2 seconds and a price after 5")
  func shop() async {
    let store = testStore(serving: .bodies)
    store.send(.typed("find te"))
    store.send(.typed("add tea"))
    await store.advance(clock, by: .seconds(2))
    await store.receive(.list(.change(.found("te", ["butter", "tea", "teapot"]))))
    await store.advance(clock, by: .seconds(3))
    await store.receive(.list(.change(.priced("tea", .cents(240)))))
    await store.finish()
  }

  @Test("a lookup that was stopped by looking back takes its whole time on return")
  func again() async {
    let store = testStore(serving: .bodies)
    store.send(.typed("add tea"))
    await store.advance(clock, by: .seconds(4))
    store.send(.typed("<"))
    await store.advance(clock, by: .seconds(60))
    store.expect(stopped: Question.price("tea"))
    #expect(clock.sleepers.isEmpty)
    store.send(.typed("live"))
    await store.advance(clock, by: .seconds(4))
    #expect(store.state.list.present.questions == [.price("tea")])
    await store.advance(clock, by: .seconds(1))
    await store.receive(.list(.change(.priced("tea", .cents(240)))))
    await store.finish()
  }

  @Test("a line that is no command changes nothing and says so, until the next one")
  func messages() async {
    let store = testStore()
    store.send(.typed("dance"))
    #expect(store.state.message == "no command: dance")
    #expect(store.state.list == TimeTravel().list)
    store.send(.typed("<"))
    #expect(store.state == TimeTravel())
    await store.finish()
  }

  @Test("after the end of the input the program ends once nothing runs")
  func ending() async {
    let store = testStore()
    store.send(.typed("add tea"))
    store.send(.inputEnded)
    #expect(!store.state.isOver && !store.state.isReading)
    store.answer(Question.price("tea"), with: ShoppingList.Action.priced("tea", .cents(240)))
    #expect(store.state.isOver)
    await store.finish()
  }
}

@Suite("Commands of the time travel") struct CommandTests {
  @Test(
    "a line is a command, by its word or its letter",
    arguments: [
      ("add  green tea ", .list(.change(.added("green tea")))), ("a tea", .list(.change(.added("tea")))),
      ("drop tea", .list(.change(.dropped("tea")))), ("find te", .list(.change(.searched("te")))),
      ("f", .list(.change(.searched("")))), ("<", .list(.back)), (">", .list(.forward)), ("l", .list(.live)),
      ("to 3", .list(.to(step: 3))), ("branch", .list(.branch)), ("h", .help), ("quit", .quit),
      ("to tea", .unknown("to tea")), ("add", .unknown("add")), ("< 2", .unknown("< 2")), ("", .unknown("")),
    ] as [(String, Command)])
  func commands(line: String, command: Command) {
    #expect(Command(line) == command)
  }
}
