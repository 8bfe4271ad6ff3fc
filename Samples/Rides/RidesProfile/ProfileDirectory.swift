import RidesDomain

/// The directory of profiles.
public protocol ProfileDirectory: Sendable {
  func profile(named name: String) async throws(UnknownPassenger) -> Profile
}

/// There is no passenger of this name.
public struct UnknownPassenger: Error, Codable, Hashable {
  public let name: String

  public init(name: String) { self.name = name }
}
