/// The requests in progress in one explored state, for a property that depends on them.
///
/// Experimental: the explorer may change with every version.
public struct RunningRequests: Sendable {
  /// The requests, of all effects, in the order in which the effects were connected.
  public let all: [any Hashable & Sendable]
  /// The names of their connections, as far as known.
  package let names: [String]

  /// Makes a list of requests in progress.
  public init(all: [any Hashable & Sendable]) { self.init(all: all, names: []) }

  package init(all: [any Hashable & Sendable], names: [String]) { (self.all, self.names) = (all, names) }

  /// The number of requests in progress.
  public var count: Int { all.count }

  /// Whether no request is in progress.
  public var isEmpty: Bool { all.isEmpty }

  /// Whether `request` is in progress. O(`count`)
  public func contains(_ request: some Hashable & Sendable) -> Bool {
    all.contains { AnyHashable($0) == AnyHashable(request) }
  }

  /// The requests of one type. O(`count`)
  public func requests<Request>(of type: Request.Type) -> [Request] { all.compactMap { $0 as? Request } }
}
