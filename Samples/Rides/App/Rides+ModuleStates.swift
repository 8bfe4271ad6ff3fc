import RidesBooking
import RidesPayment
import RidesProfile

// Three features need the profile, and none of them knows the others. The app keeps it once.

// The first way: the feature's state is computed from parts of the app's state. Good if features decide the shape of
// their states. While the feature reduces, its collections exist twice, so changing one of them copies it.

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

// The second way: the feature declares what it needs of its host, and changes the host in place. Good for large slices.

extension Rides: Paying {}
