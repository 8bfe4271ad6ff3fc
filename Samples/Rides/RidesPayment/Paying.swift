import RidesDomain

/// A state that hosts the payment feature: it has the feature's slice, and the passenger's profile.
public protocol Paying: Sendable {
  var profile: Profile { get set }
  var payment: Payment.State { get set }
}
