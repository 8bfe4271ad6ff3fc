/// The service that knows the places of vehicles.
public protocol VehicleFeed: Sendable {
  /// The place of a ride's vehicle, a number of minutes after the ride was granted.
  func position(ofRide number: Int, minute: Int) async -> Tracking.Position
}
