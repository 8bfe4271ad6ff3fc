/// Who knows where vehicles are.
public protocol VehicleFeed: Sendable {
  /// Where the vehicle of a ride is, so many minutes after the ride was granted.
  func position(ofRide number: Int, minute: Int) async -> Tracking.Position
}
