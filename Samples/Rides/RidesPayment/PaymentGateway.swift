import RidesDomain

/// The service that charges cards.
public protocol PaymentGateway: Sendable {
  /// Charges a passenger's card once for each ride, however often it is called.
  func charge(_ amount: Money, to passenger: String, forRide number: Int) async throws(Declined)
}

/// The bank has declined the charge.
public struct Declined: Error, Codable, Hashable {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }
}
