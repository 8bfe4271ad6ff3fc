import RidesBooking
import RidesDomain
import Testing

@Suite("Booking's reducer")
struct BookingTests {
  private static let home = Place("old town")
  private static let airport = Place("airport")
  private static let route = Route(from: home, to: airport)
  private static let fare = Money(cents: 13_50)
  private static let ride = Booking.Ride(number: 1, driver: "Kofi", route: route, fare: fare)

  private func state(_ order: Booking.Order, recent: [Place] = []) -> Booking.State {
    Booking.State(profile: Profile(name: "Ada", home: Self.home, recent: recent), order: order)
  }

  @Test("a granted ride puts its destination first among the shared profile's places, once")
  func recent() {
    var state = state(.asking(Self.route, Self.fare), recent: [Place("museum"), Self.airport])
    Booking.reduce(&state, .granted(Self.ride))
    #expect(state.profile.recent == [Self.airport, Place("museum")])
  }

  @Test(
    "a refusal is kept with its route",
    arguments: [Booking.Order.pricing(route), .asking(route, fare)])
  func refused(order: Booking.Order) {
    var state = state(order)
    Booking.reduce(&state, .refused(NoRide("no road")))
    #expect(state.order == .refused(Self.route, NoRide("no road")))
  }

  @Test(
    "what comes at the wrong moment changes nothing",
    arguments: [
      (Booking.Order.none, Booking.Action.confirmed),
      (.none, .priceArrived(fare)),
      (.none, .granted(ride)),
      (.pricing(route), .confirmed),
      (.priced(route, fare), .granted(ride)),
      (.priced(route, fare), .refused(NoRide("no road"))),
    ])
  func wrongMoment(order: Booking.Order, action: Booking.Action) {
    var state = state(order)
    Booking.reduce(&state, action)
    #expect(state == self.state(order))
  }
}
