import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTestStore
import MillraceTesting
import Testing

@testable import booking

/// What the reducer decides, with a window and a file that the test stands in for.
@Suite("The booking's flows", .timeLimit(.minutes(10))) struct FlowTests {
  private let store: TestStore<Booking, Booking.Action>

  init() { store = Self.testStore(Booking()) }

  private static func testStore(_ booking: Booking) -> TestStore<Booking, Booking.Action> {
    let store = TestStore(initialState: booking, reduce: Booking.reduce) { store in
      // Neither is used: the test answers what is asked of them.
      let window = Window(clock: TestClock()) { _ in }
      Booking.connect(to: store, window: window, storage: FileStorage(at: "/nowhere"))
    }
    store.exhaustivity = .none
    return store
  }

  /// Types lines, each when all is shown.
  private func type(_ lines: String...) {
    show()
    for line in lines {
      store.send(.typed(line))
      show()
    }
  }

  /// Performs steps until all is shown.
  private func show() {
    while let step = store.state.navigation.step {
      store.answer(step, with: Navigation<Screen>.Action.performed(step.number))
    }
    #expect(store.state.navigation.isSettled)
  }

  private func swipe() throws {
    store.send(.swiped(try #require(store.state.navigation.shown.last).id))
    show()
  }

  private var shown: [Screen] { store.state.navigation.shown.map(\.screen) }

  @Test("a trip leads from the list to the ticket, by a wizard that is one screen")
  func wizard() async throws {
    type("7", "book", "ann")
    #expect(shown == [.trips, .trip(7), .book(7, .seat)])
    let wizard = store.state.navigation.shown.last?.id
    type("12A")
    #expect(shown.last == .book(7, .name) && store.state.drafts == [7: Draft(seat: "12a")])
    type("Ann Lee")
    #expect(shown.last == .book(7, .review) && store.state.navigation.shown.last?.id == wizard)
    type("book")
    #expect(shown == [.trips, .tickets])
    #expect(store.state.tickets == [Ticket(trip: 7, seat: "12a", name: "Ann Lee")])
    #expect(store.state.drafts.isEmpty)
    await store.finish()
  }

  @Test("back goes through the steps, what was entered stays, and an empty line takes it")
  func back() async {
    type("7", "book", "ann", "12a", "Ann", "back", "back")
    #expect(shown.last == .book(7, .seat) && store.state.drafts == [7: Draft(seat: "12a", name: "Ann")])
    type("", "")
    #expect(shown.last == .book(7, .review))
    type("back", "Bob")
    #expect(store.state.drafts == [7: Draft(seat: "12a", name: "Bob")])
    await store.finish()
  }

  @Test("what a step cannot use keeps the step")
  func invalid() async {
    type("7", "book", "ann", "", "99z")
    #expect(shown.last == .book(7, .seat) && store.state.drafts.isEmpty)
    #expect(store.state.message == "'99z' is no seat")
    type("1a", "")
    #expect(shown.last == .book(7, .name) && store.state.message == "a name is missing")
    type("Ann", "yes")
    #expect(shown.last == .book(7, .review) && store.state.tickets.isEmpty)
    await store.finish()
  }

  @Test("a link waits for the sign-in, and then leads where it should")
  func link() async {
    type("9", "open trip/7/seat")
    #expect(shown == [.trips, .trip(9), .signIn])
    type("")
    #expect(shown.last == .signIn && store.state.user == nil)
    type("ann")
    #expect(shown == [.trips, .trip(7), .book(7, .seat)] && store.state.destination == nil)
    await store.finish()
  }

  @Test("the newest of two links is followed, and one that needs nobody at once")
  func newestLink() async {
    type("open tickets", "open trip/7/seat")
    #expect(shown == [.trips, .signIn])
    type("open trip/9")
    #expect(shown == [.trips, .trip(9)] && store.state.destination == nil)
    await store.finish()
  }

  @Test("who does not sign in stays, and a later sign-in does not follow the old link")
  func noSignIn() async throws {
    type("9", "open tickets", "back")
    #expect(shown == [.trips, .trip(9)] && store.state.destination == nil)
    type("open tickets")
    try swipe()
    #expect(shown == [.trips, .trip(9)] && store.state.destination == nil)
    type("book", "ann")
    #expect(shown == [.trips, .trip(9), .book(9, .seat)])
    await store.finish()
  }

  @Test("a sign-in whose screen was swiped away with those below it is not asked for any more")
  func signInUnder() async throws {
    type("9")
    store.send(.typed("open tickets"))  // the question is on its way
    store.send(.swiped(try #require(store.state.navigation.shown.last).id))
    show()
    #expect(shown == [.trips] && store.state.destination == nil)
    await store.finish()
  }

  @Test(
    "whoever leaves the wizard with a draft is asked",
    arguments: ["back", "home", "open trip/9", "open trip/12/seat"])
  func guarded(leaving: String) async throws {
    type("open trip/7/seat", "ann", "12a", "back", leaving)
    #expect(shown.last == .discard(7) && store.state.drafts[7] != nil)
    type("perhaps")
    #expect(shown.last == .discard(7))
    type("no")
    #expect(shown == [.trips, .trip(7), .book(7, .seat)] && store.state.destination == nil)
    type(leaving)
    try swipe()
    #expect(shown == [.trips, .trip(7), .book(7, .seat)] && store.state.destination == nil)
    type(leaving, "yes")
    #expect(store.state.drafts.isEmpty && !shown.contains(.book(7, .seat)))
    let destination: [Screen] =
      switch leaving {
      case "back": [.trips, .trip(7)]
      case "home": [.trips]
      case "open trip/9": [.trips, .trip(9)]
      default: [.trips, .trip(12), .book(12, .seat)]
      }
    #expect(shown == destination)
    await store.finish()
  }

  @Test("nobody is asked where nothing is lost")
  func unguarded() async throws {
    type("open trip/7/seat", "ann", "back")
    #expect(shown == [.trips, .trip(7)])
    type("book", "12a", "open trip/7/seat")  // the same wizard
    #expect(shown == [.trips, .trip(7), .book(7, .seat)] && store.state.drafts[7] != nil)
    await store.finish()
  }

  @Test("a swipe out of the wizard has happened: the draft stays, and the wizard goes on with it")
  func swiped() async throws {
    type("open trip/7/seat", "ann", "12a")
    try swipe()
    #expect(shown == [.trips, .trip(7)] && store.state.drafts == [7: Draft(seat: "12a")])
    type("book")
    #expect(shown.last == .book(7, .name))
    await store.finish()
  }

  @Test("a swipe while a screen slides in takes it away, and nothing is presented twice")
  func swipedEarly() async throws {
    show()
    store.send(.typed("7"))
    let step = try #require(store.state.navigation.step)
    store.send(.swiped(step.change.entry.id))
    #expect(store.inProgress().requests(of: Navigation<Screen>.Step.self).isEmpty)
    #expect(store.state.navigation.isSettled && shown == [.trips])
    await store.finish()
  }

  @Test("commands that go nowhere say so")
  func messages() async {
    type("back")
    #expect(store.state.message == "there is nothing behind")
    type("8")
    #expect(store.state.message == "there is no trip '8'")
    type("open boat")
    #expect(store.state.message == "there is no 'boat' to open in the link 'boat'")
    type("9", "seat")
    #expect(store.state.message == "this screen does not understand 'seat'; try help")
    type("help")
    #expect(store.state.message == Booking.usage)
    type("back")
    #expect(store.state.message == nil)
    await store.finish()
  }

  @Test("at the end of the input the program ends when all is shown, and at quit at once")
  func ends() async {
    show()
    store.send(.typed("7"))
    store.send(.inputEnded)
    #expect(!store.state.isReading && !store.state.isOver)
    show()
    #expect(store.state.isOver)
    let other = Self.testStore(Booking())
    other.send(.typed("quit"))
    #expect(other.state.isOver)
    await store.finish()
    await other.finish()
  }

  @Test("all that is worth keeping is saved, and steps of the window are no change of it")
  func saved() async throws {
    type("open trip/7/seat", "ann", "12a")
    let request = try #require(store.state.saving.wanted)
    #expect(request.value == store.state.kept && request.value.path == store.state.navigation.wanted)
    store.send(.typed("Ann"))
    let generation = store.state.saving.generation
    show()
    #expect(store.state.saving.generation == generation)
    store.send(StorageEvent.began(generation: request.generation), from: request)
    store.send(
      StorageEvent.failed(.diskFull("/nowhere"), generation: generation, attempt: 1), from: request)
    #expect(store.state.message == "not saved: the disk or the quota is full: /nowhere")
    await store.finish()
  }

  @Test("the next run goes on where this one was, with the identities of its screens")
  func restored() async throws {
    type("open trip/7/seat", "ann", "12a", "home")
    let before = store.state
    let other = Self.testStore(Booking(StoredValue(value: before.kept, generation: 4)))
    #expect(other.state.navigation.shown.isEmpty && other.state.saving.isSaved)
    while let step = other.state.navigation.step {
      other.answer(step, with: Navigation<Screen>.Action.performed(step.number))
    }
    #expect(other.state.navigation.shown == before.navigation.shown)
    #expect(other.state.kept == before.kept && other.state.destination == [.trips])
    other.send(.typed("yes"))
    #expect(other.state.navigation.wanted.screens == [.trips])
    await store.finish()
    await other.finish()
  }

  @Test("a damaged file is told")
  func damaged() async {
    let file = DamagedFile(path: "f", setAsideAs: "f.damaged", reason: .wrongChecksum)
    #expect(Booking(StoredValue(damaged: [file])).message == "f was damaged; it is now f.damaged")
    await store.finish()
  }
}
