import Millrace
import MillraceTestStore
import MillraceTesting
import RidesBooking
import RidesDomain
import Testing

/// Grants every ride but those to the moon.
private struct Service: RideService {
  func price(of route: Route) async throws(NoRide) -> Money {
    if route.destination.name == "moon" { throw NoRide("no road") }
    return Money(cents: route.destination.name.count * 100)
  }

  func ride(along route: Route, for passenger: String, fare: Money) async throws(NoRide) -> Booking.Ride {
    Booking.Ride(number: 7, driver: "\(passenger)'s driver", route: route, fare: fare)
  }
}

@Suite("Booking in a store of its own")
struct BookingEffectTests {
  private let start = Booking.State(profile: Profile(name: "Ada", home: Place("old town")))

  private func testStore(serving: RunServing = .answered) -> TestStore<Booking.State, Booking.Action> {
    TestStore(initialState: start, serving: serving, reduce: Booking.reduce) {
      Booking.connect(to: $0, service: Service())
    }
  }

  private func route(to name: String) -> Route { Route(from: Place("old town"), to: Place(name)) }

  @Test("prices what was chosen and asks for what was confirmed")
  func granted() async {
    let (store, route, fare) = (testStore(serving: .bodies), route(to: "airport"), Money(cents: 7_00))
    store.send(.destinationChosen(route.destination)) { $0.order = .pricing(route) }
    await store.receive(.priceArrived(fare)) { $0.order = .priced(route, fare) }
    store.send(.confirmed) { $0.order = .asking(route, fare) }
    let ride = Booking.Ride(number: 7, driver: "Ada's driver", route: route, fare: fare)
    await store.receive(.granted(ride)) {
      $0.order = .granted(ride)
      $0.profile.recent = [route.destination]
    }
    await store.finish()
  }

  @Test("a failure of the service ends as a refusal")
  func refused() async {
    let (store, route) = (testStore(), route(to: "moon"))
    store.send(.destinationChosen(route.destination)) { $0.order = .pricing(route) }
    store.fail(route, with: NoRide("no road")) { $0.order = .refused(route, NoRide("no road")) }
    await store.finish()
    let outcome = await PriceEffect(service: Service()).outcome(of: route)
    #expect(outcome == RunOutcome(end: .failed(NoRide("no road"))))
  }

  @Test("a route that is no longer wanted is not priced")
  func late() async {
    let (store, airport, zoo) = (testStore(), route(to: "airport"), route(to: "zoo"))
    store.send(.destinationChosen(airport.destination)) { $0.order = .pricing(airport) }
    store.send(.destinationChosen(zoo.destination)) { $0.order = .pricing(zoo) }
    store.expect(stopped: airport)
    store.answer(zoo, with: .priceArrived(.zero)) { $0.order = .priced(zoo, .zero) }
    await store.finish()
  }
}
