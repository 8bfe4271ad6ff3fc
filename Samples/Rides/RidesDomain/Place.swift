/// A place where a ride begins or ends.
public struct Place: Codable, Hashable, Sendable, CustomStringConvertible {
  public let name: String

  public init(_ name: String) { self.name = name }

  public var description: String { name }
}
