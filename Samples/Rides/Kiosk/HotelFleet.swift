import RidesBooking
import RidesDomain

/// The hotel's own cars: one price, and only two of them.
actor HotelFleet: RideService {
  private var free = ["Ines", "Yusuf"]
  private var granted = 0

  func price(of route: Route) async throws(NoRide) -> Money { Money(cents: 25_00) }

  func ride(along route: Route, for passenger: String, fare: Money) async throws(NoRide) -> Booking.Ride {
    guard !free.isEmpty else { throw NoRide("all cars are out") }
    granted += 1
    return Booking.Ride(number: granted, driver: free.removeFirst(), route: route, fare: fare)
  }
}
