import Millrace
import MillraceTesting
import RidesBooking
import RidesDomain
import Testing

/// Grants every ride but those to the moon; prices when the gate lets it.
private struct Service: RideService {
  var gate = Gate(isOpen: true)

  func price(of route: Route) async throws(NoRide) -> Money {
    await gate.waitIgnoringCancellation()
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

  private func makeStore(_ service: Service) -> Store<Booking.State, Booking.Action> {
    let store = Store(initialState: start, on: .immediate, reduce: Booking.reduce)
    Booking.connect(to: store, service: service)
    return store
  }

  @Test("prices what was chosen and asks for what was confirmed")
  func granted() async {
    let store = makeStore(Service())
    let route = Route(from: Place("old town"), to: Place("airport"))
    store.dispatch(.destinationChosen(route.destination))
    await store.settled()
    #expect(store.state.order == .priced(route, Money(cents: 7_00)))
    store.dispatch(.confirmed)
    await store.settled()
    let ride = Booking.Ride(number: 7, driver: "Ada's driver", route: route, fare: Money(cents: 7_00))
    #expect(store.state.order == .granted(ride))
    #expect(store.state.profile.recent == [route.destination])
  }

  @Test("a failure of the service ends as a refusal")
  func refused() async {
    let store = makeStore(Service())
    store.dispatch(.destinationChosen(Place("moon")))
    await store.settled()
    let route = Route(from: Place("old town"), to: Place("moon"))
    #expect(store.state.order == .refused(route, NoRide("no road")))
  }

  @Test("a price of a route that is no longer wanted never arrives")
  func late() async throws {
    let gate = Gate()
    let store = makeStore(Service(gate: gate))
    store.dispatch(.destinationChosen(Place("airport")))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.destinationChosen(Place("zoo")))
    try await gate.waiters(atLeast: 2)
    gate.open()
    await store.settled()
    let route = Route(from: Place("old town"), to: Place("zoo"))
    #expect(store.state.order == .priced(route, Money(cents: 3_00)))
    #expect(store.activity.fenced == 1)
  }
}
