import RidesBooking
import RidesDomain
import RidesPayment
import RidesProfile
import RidesTracking

/// The app: its state, with each fact stored once.
struct Rides: Hashable, Sendable {
  var profile = Profile.guest
  var signIn = Account.SignIn.idle
  var order = Booking.Order.none
  /// Present only while a ride is booked.
  var ride: Tracking.State?
  var payment = Payment.State.nothingDue
  var paid: [Payment.Bill] = []

  /// Whether a ride was ordered and is not finished and paid yet.
  var isRiding: Bool {
    if case .asking = order { return true }
    return ride != nil || payment != .nothingDue
  }

  var isSigningIn: Bool {
    if case .asking = signIn { true } else { false }
  }

  enum Action: Codable, Hashable, Sendable {
    case account(Account.Action)
    case booking(Booking.Action)
    case tracking(Tracking.Action)
    case payment(Payment.Action)
  }
}
