import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import RandomSession
import RidesDomain
import TestSupport
import Testing

@testable import RidesBooking
@testable import rides_kiosk

/// Everything that may happen at both screens up to the second departure.
@Suite("The kiosk, explored")
struct KioskExplorationTests {
  private func explorer(
    _ reduce: @escaping Reducer<Kiosk, Kiosk.Action>,
    offering actions: @escaping @Sendable (Kiosk) -> [Kiosk.Action] = Self.userActions
  ) -> Explorer<Kiosk, Kiosk.Action> {
    Explorer(initialState: Kiosk(), reduce: reduce, connect: Self.connect)
      .userActions(actions)
      .outcomes(of: Route.self, sending: Booking.Action.self) { _ in
        [.answers(.priceArrived(Money(cents: 25_00))), .fails(NoRide("no road"))]
      }
      .outcomes(of: AskForRideEffect.Request.self, sending: Booking.Action.self) { asked in
        let ride = Booking.Ride(number: 1, driver: "Ines", route: asked.route, fare: asked.fare)
        return [.answers(.granted(ride)), .fails(NoRide("all cars are out"))]
      }
      .never("a screen that shows a departed ride") { kiosk in
        [kiosk.left, kiosk.right].contains { if case .granted = $0 { true } else { false } }
      }
      .alwaysReachable("two guests depart") { $0.departures.count >= 2 }
      .printingTests(using: "testStore()")
  }

  @Sendable private static func connect(to store: Store<Kiosk, Kiosk.Action>) {
    Kiosk.connect(to: store, service: HotelFleet())
  }

  @Sendable private static func userActions(in kiosk: Kiosk) -> [Kiosk.Action] {
    if kiosk.departures.count >= 2 { return [] }
    return [.destinationChosen(Place("zoo")), .confirmed, .withdrawn].flatMap { [.left($0), .right($0)] }
  }

  /// The actions of guests who know where to go, and seldom use the screen on the right.
  @Sendable private static func guestsActions(in kiosk: Kiosk) -> [Kiosk.Action] {
    let left = [Booking.Action.destinationChosen(Place("opera")), .confirmed, .withdrawn]
    return left.map(Kiosk.Action.left) + left.map(Kiosk.Action.left)
      + [.right(.destinationChosen(Place("zoo"))), .right(.confirmed), .right(.withdrawn)]
  }

  /// The planted bug: of two branches that are alike, only one was changed.
  @Sendable private static func halfChangedReduce(_ kiosk: inout Kiosk, _ action: Kiosk.Action) {
    if case .right(let action) = action {
      Booking.reduce(&kiosk.rightBooking, action)
    } else {
      Kiosk.reduce(&kiosk, action)
    }
  }

  private func testStore(
    _ reduce: @escaping Reducer<Kiosk, Kiosk.Action> = Self.halfChangedReduce
  ) -> TestStore<Kiosk, Kiosk.Action> {
    TestStore(initialState: Kiosk(), reduce: reduce, connect: Self.connect)
  }

  @Test("whatever the guests do, both screens are free after a ride was granted")
  func shipped() {
    let report = explorer(Kiosk.reduce).explore(states: 3_000)
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states == 84)
  }

  @Test("a screen that keeps its ride is found in four moves")
  func keptRide() async throws {
    let found = try #require(explorer(Self.halfChangedReduce).explore(states: 3_000).counterexamples.first)
    let asked = #"Request(route: hotel to zoo, fare: 25.00, passenger: "Grand Hotel")"#
    let ride = #"Ride(number: 1, driver: "Ines", route: hotel to zoo, fare: 25.00)"#
    #expect(
      PrintedStory(found.story).moves == [
        "the user sends .right(.destinationChosen(zoo))",
        "PriceEffect hotel to zoo answers .priceArrived(25.00)",
        "the user sends .right(.confirmed)",
        "AskForRideEffect \(asked) answers .granted(\(ride))",
      ])
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await printedTest { testStore() } }
    await printedTest { testStore(Kiosk.reduce) }
  }

  /// The test that the explorer prints.
  private func printedTest(_ testStore: () -> TestStore<Kiosk, Kiosk.Action>) async {
    let store = testStore()
    store.exhaustivity = .none
    store.send(.right(.destinationChosen(Place(name: "zoo"))))
    // swift-format-ignore
    if store.inProgress().contains(Route(start: Place(name: "hotel"), destination: Place(name: "zoo"))) { store.answer(Route(start: Place(name: "hotel"), destination: Place(name: "zoo")), with: Booking.Action.priceArrived(Money(cents: 2500))) }
    store.send(.right(.confirmed))
    // swift-format-ignore
    if store.inProgress().contains(AskForRideEffect.Request(route: Route(start: Place(name: "hotel"), destination: Place(name: "zoo")), fare: Money(cents: 2500), passenger: "Grand Hotel")) { store.answer(AskForRideEffect.Request(route: Route(start: Place(name: "hotel"), destination: Place(name: "zoo")), fare: Money(cents: 2500), passenger: "Grand Hotel"), with: Booking.Action.granted(Booking.Ride(number: 1, driver: "Ines", route: Route(start: Place(name: "hotel"), destination: Place(name: "zoo")), fare: Money(cents: 2500)))) }
    let holds: (Kiosk) -> Bool = { kiosk in
      [kiosk.left, kiosk.right].contains { if case .granted = $0 { true } else { false } }
    }
    #expect(!holds(store.state))
    await store.finish()
  }

  @Test("the recording of a long session by chance becomes the same test")
  func longSession() async throws {
    let shrunk = try await explorer(Self.halfChangedReduce, offering: Self.guestsActions).shrunkSession(
      seed: 12)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves > 300 && found.steps.count == 4, "\(shrunk)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
  }
}

// The memberwise initializers by which a printed test writes what has others.

extension Place { fileprivate init(name: String) { self.init(name) } }
extension Route {
  fileprivate init(start: Place, destination: Place) { self.init(from: start, to: destination) }
}
