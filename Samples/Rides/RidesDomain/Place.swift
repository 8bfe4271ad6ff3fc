/// Somewhere to be fetched from or taken to.
public struct Place: Codable, Hashable, Sendable, CustomStringConvertible {
  public let name: String

  public init(_ name: String) { self.name = name }

  public var description: String { name }
}
