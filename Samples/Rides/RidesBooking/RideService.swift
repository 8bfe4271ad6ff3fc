import RidesDomain

/// The service that prices and grants rides.
public protocol RideService: Sendable {
  func price(of route: Route) async throws(NoRide) -> Money
  func ride(along route: Route, for passenger: String, fare: Money) async throws(NoRide) -> Booking.Ride
}

/// Why there is no ride.
public struct NoRide: Error, Codable, Hashable {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }
}
