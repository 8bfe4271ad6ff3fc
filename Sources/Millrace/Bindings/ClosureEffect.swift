/// The effect component behind a one-line effect.
struct ClosureEffect<Request: Hashable & Sendable, Action: Sendable, Failure: Error>: EffectComponent {
  let body: @Sendable (Request, Send<Action>) async throws(Failure) -> Void
  /// `nil` only where `Failure` is `Never`.
  let failure: (@Sendable (Failure, Request) -> Action)?

  func requests(in request: Request?) -> Set<Request> {
    guard let request else { return [] }
    return [request]
  }

  func run(_ request: Request, send: Send<Action>) async throws(Failure) {
    try await body(request, send)
  }

  func action(for error: Failure, of request: Request) -> Action {
    guard let failure else { preconditionFailure("an effect whose failure is Never has failed") }
    return failure(error, request)
  }
}
