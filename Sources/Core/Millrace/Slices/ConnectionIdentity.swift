/// The identity of a connection.
public struct ConnectionIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The number of the connection, unique in its store.
  public let number: UInt64
  /// The name given at `connect`, or the name of the component's type.
  public let name: String
  /// The place in the source where it was connected.
  public let site: CallSite
  /// Whether it belongs to a part of the state and ends with it.
  package let isInPart: Bool

  /// The name and the place, in the form `SearchEffect at App/Main.swift:12`.
  public var description: String { "\(name) at \(site)" }
}
