/// Which connection it is.
public struct ConnectionIdentity: Sendable, Hashable, CustomStringConvertible {
  /// Its number, never used again in its store.
  public let number: UInt64
  /// Its name: the one given at `connect`, or the name of the component's type.
  public let name: String
  /// Where it was connected.
  public let site: CallSite

  /// `SearchEffect at App/Main.swift:12`
  public var description: String { "\(name) at \(site)" }
}
