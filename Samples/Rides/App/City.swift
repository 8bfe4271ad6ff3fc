import RidesBooking
import RidesDomain
import RidesPayment
import RidesProfile
import RidesTracking

/// A small city that replaces the outside world, and behaves in the same way every time.
actor City {
  private var ridesGranted = 0
  private var chargesTried = 0
}

extension City: ProfileDirectory {
  func profile(named name: String) async throws(UnknownPassenger) -> Profile {
    guard name == "ada" else { throw UnknownPassenger(name: name) }
    return Profile(name: "Ada", home: Place("old town"), credit: Money(cents: 10_00))
  }
}

extension City: RideService {
  private static let drivers = ["Kofi", "Mei", "Tomasz"]

  func price(of route: Route) async throws(NoRide) -> Money {
    if route.destination.name == "moon" { throw NoRide("no road leads there") }
    return Money(cents: 4_00 + route.description.count * 50)
  }

  func ride(along route: Route, for passenger: String, fare: Money) async throws(NoRide) -> Booking.Ride {
    defer { ridesGranted += 1 }
    return Booking.Ride(
      number: ridesGranted + 1, driver: Self.drivers[ridesGranted % Self.drivers.count], route: route,
      fare: fare)
  }
}

extension City: VehicleFeed {
  /// The vehicle needs two minutes to arrive and five to drive.
  func position(ofRide number: Int, minute: Int) async -> Tracking.Position {
    switch minute {
    case ..<2: .approaching(minutesLeft: 2 - minute)
    case ..<7: .underWay(minutesLeft: 7 - minute)
    default: .arrived
    }
  }
}

extension City: PaymentGateway {
  func charge(_ amount: Money, to passenger: String, forRide number: Int) async throws(Declined) {
    chargesTried += 1
    if chargesTried == 1 { throw Declined("the bank did not answer") }
  }
}
