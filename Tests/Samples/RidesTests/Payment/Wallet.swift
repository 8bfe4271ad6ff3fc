import RidesDomain
import RidesPayment

/// The least that can host the payment feature.
struct Wallet: Paying, Hashable {
  var profile = Profile(name: "Ada", home: Place("old town"), credit: Money(cents: 10_00))
  var payment = Payment.State.nothingDue
}
