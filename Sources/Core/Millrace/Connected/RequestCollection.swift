/// The result of the `when` closure of a one-line effect: an optional request, or a set of requests.
///
/// `Optional` and `Set` conform; no other type needs to.
public protocol RequestCollection<Request>: Equatable {
  /// The identity and the input of one piece of work.
  associatedtype Request: Hashable
  /// The requests that are asked for.
  var requests: Set<Request> { get }
}

extension Optional: RequestCollection where Wrapped: Hashable {
  /// The request, if there is one.
  public var requests: Set<Wrapped> { map { [$0] } ?? [] }
}

extension Set: RequestCollection {
  /// The set itself.
  public var requests: Set<Element> { self }
}
