import RidesDomain

/// The directory of profiles.
public protocol ProfileDirectory: Sendable {
  func profile(named name: String) async throws(UnknownPassenger) -> Profile
}

/// Nobody goes by that name.
public struct UnknownPassenger: Error, Codable, Hashable {
  public let name: String

  public init(name: String) { self.name = name }
}
