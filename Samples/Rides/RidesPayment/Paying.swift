import RidesDomain

/// What a state must have to host the payment feature: its slice, and the passenger's profile.
public protocol Paying: Sendable {
  var profile: Profile { get set }
  var payment: Payment.State { get set }
}
