import Millrace
import RidesBooking
import RidesPayment
import RidesProfile
import RidesTracking

/// The services that the app uses.
typealias RidesWorld = ProfileDirectory & RideService & VehicleFeed & PaymentGateway

extension Rides {
  /// Connects all features to a store of the app.
  static func connect(to store: Store<Rides, Action>, world: any RidesWorld, clock: any Clock<Duration>) {
    Account.connect(to: store.scope(\.account, action: Action.account), directory: world)
    Booking.connect(to: store.scope(\.booking, action: Action.booking), service: world)
    // Begins and ends with each ride, so nothing polls without a ride.
    store.connectIfPresent(\.ride, action: Action.tracking) { ride in
      Tracking.connect(to: ride, feed: world, clock: clock)
    }
    store.connectPayment(gateway: world, action: Action.payment)
  }
}
