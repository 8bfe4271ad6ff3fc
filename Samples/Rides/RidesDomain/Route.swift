/// The beginning and end of a ride.
public struct Route: Codable, Hashable, Sendable, CustomStringConvertible {
  public let start, destination: Place

  public init(from start: Place, to destination: Place) {
    self.start = start
    self.destination = destination
  }

  public var description: String { "\(start) to \(destination)" }
}
