/// The effect component behind a one-line effect.
struct ClosureEffect<Requests: RequestsAsked & Sendable, Action: Sendable, Failure: Error>: EffectComponent
where Requests.Request: Sendable {
  typealias Request = Requests.Request

  let body: @Sendable (Request, Send<Action>) async throws(Failure) -> Void
  /// `nil` only where `Failure` is `Never`.
  let failure: (@Sendable (Failure, Request) -> Action)?

  func requests(in requests: Requests) -> Set<Request> { requests.requests }

  func run(_ request: Request, send: Send<Action>) async throws(Failure) {
    try await body(request, send)
  }

  func action(for error: Failure, of request: Request) -> Action {
    guard let failure else { preconditionFailure("an effect whose failure is Never has failed") }
    return failure(error, request)
  }
}

/// What the `when` closure of a one-line effect returns: an optional request, or a set of requests.
///
/// `Optional` and `Set` conform; no other type needs to.
public protocol RequestsAsked<Request>: Equatable {
  /// The identity and the input of one piece of work.
  associatedtype Request: Hashable
  /// The requests that are asked for.
  var requests: Set<Request> { get }
}

extension Optional: RequestsAsked where Wrapped: Hashable {
  /// The request, if there is one.
  public var requests: Set<Wrapped> { map { [$0] } ?? [] }
}

extension Set: RequestsAsked {
  /// The set itself.
  public var requests: Set<Element> { self }
}
