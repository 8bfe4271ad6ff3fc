import RidesBooking
import RidesPayment
import RidesProfile

// Three features need the profile, and none of them knows the others. The app keeps it once.

// The first way: the state of a feature is computed from parts of the app's. Good where features own their state's
// shape; while the feature reduces, its collections are held twice, so changing one of them copies it.

extension Rides {
  var account: Account.State {
    get { Account.State(profile: profile, signIn: signIn) }
    set {
      profile = newValue.profile
      signIn = newValue.signIn
    }
  }

  var booking: Booking.State {
    get { Booking.State(profile: profile, order: order) }
    set {
      profile = newValue.profile
      order = newValue.order
    }
  }
}

// The second way: the feature says what it needs of its host, and works on the host in place. Good for large slices.

extension Rides: Paying {}
