import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import RidesDomain
import TestSupport
import Testing

@testable import RidesBooking
@testable import rides_kiosk

@Suite("The kiosk")
struct KioskTests {
  @Test("the same route at both screens is priced twice; withdrawing one leaves the other alone")
  func independence() async {
    let store = TestStore(initialState: Kiosk(), reduce: Kiosk.reduce) {
      Kiosk.connect(to: $0, service: HotelFleet())
    }
    let route = Route(from: Place("hotel"), to: Place("airport"))
    store.send(.left(.destinationChosen(route.destination))) { $0.left = .pricing(route) }
    store.send(.right(.destinationChosen(route.destination))) { $0.right = .pricing(route) }
    store.expect(running: route, route)
    store.send(.left(.withdrawn)) { $0.left = .none }
    store.answer(route, with: Booking.Action.priceArrived(.zero)) { $0.right = .priced(route, .zero) }
    await store.finish()
  }

  @Test("a morning: what was granted is on the board, and the third ride is refused")
  func morning() async throws {
    let lines = Recorder<String>()
    try await KioskCommand.play { lines.append($0) }
    #expect(
      lines.values.suffix(6) == [
        "step 7", "  left:  sorry, all cars are out", "  right: where to?",
        "  departing: Ines, hotel to airport", "  departing: Yusuf, hotel to museum", "the end: clean",
      ])
  }
}

/// Everything that may happen at both screens up to the second departure.
@Suite("The kiosk, explored")
struct KioskExplorationTests {
  private func explorer(
    _ reduce: @escaping Reducer<Kiosk, Kiosk.Action>
  ) -> Explorer<Kiosk, Kiosk.Action> {
    Explorer(initialState: Kiosk(), reduce: reduce, connect: Self.connect)
      .userActions(Self.userActions)
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
  }

  @Sendable private static func connect(to store: Store<Kiosk, Kiosk.Action>) {
    Kiosk.connect(to: store, service: HotelFleet())
  }

  @Sendable private static func userActions(in kiosk: Kiosk) -> [Kiosk.Action] {
    if kiosk.departures.count >= 2 { return [] }
    return [.destinationChosen(Place("zoo")), .confirmed, .withdrawn].flatMap { [.left($0), .right($0)] }
  }

  /// The planted bug: of two branches that are alike, only one was changed.
  @Sendable private static func halfChangedReduce(_ kiosk: inout Kiosk, _ action: Kiosk.Action) {
    if case .right(let action) = action {
      Booking.reduce(&kiosk.rightBooking, action)
    } else {
      Kiosk.reduce(&kiosk, action)
    }
  }

  @Test("whatever the guests do, both screens are free after a ride was granted")
  func shipped() {
    let report = explorer(Kiosk.reduce).explore(states: 3_000)
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states == 84)
  }

  @Test("a screen that keeps its ride is found in four moves")
  func keptRide() throws {
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
  }
}
