/// An effect made of closures, as a value for policies. It does what `connect(when:run:)` connects.
///
/// ```swift
/// let search = Effect { [client] (query: String, send: Send<Search.Action>) in
///   await send(.arrived(client.results(for: query)))
/// }
/// store.connect(
///   search.debounced(for: .milliseconds(300)), when: \.search.pending, action: AppAction.search)
/// ```
///
/// Write the types of the request and of `send`. A request is its own identity. For an effect with identities, or with
/// values that are handed over, write an ``EffectComponent``.
public struct Effect<Request: Hashable & Sendable, Action: Sendable, Failure: Error>: EffectComponent {
  private let body: @Sendable (Request, Send<Action>) async throws(Failure) -> Void
  private let failure: @Sendable (Failure, Request) -> Action

  /// Makes an effect whose `run` can throw.
  ///
  /// ```swift
  /// let search = Effect(failure: { (_: NotFound, query) in .arrived(["\(query) was not found"]) }) {
  ///   (query: String, send: Send<Search.Action>) async throws(NotFound) in
  ///   await send(.arrived(try await lookUp(query)))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - failure: makes the action for an error of a run; pure, called on the reducer queue.
  ///   - run: serves one request, in a task of its own.
  public init(
    failure: @escaping @Sendable (Failure, Request) -> Action,
    run: @escaping @Sendable (Request, Send<Action>) async throws(Failure) -> Void
  ) {
    (body, self.failure) = (run, failure)
  }

  /// Returns the set itself.
  public func requests(in requests: Set<Request>) -> Set<Request> { requests }

  /// Serves one request.
  public func run(_ request: Request, send: Send<Action>) async throws(Failure) {
    try await body(request, send)
  }

  /// Returns the action for the error.
  public func action(for error: Failure, of request: Request) -> Action { failure(error, request) }
}

extension Effect where Failure == Never {
  /// Makes an effect that cannot fail.
  ///
  /// - Parameter run: serves one request, in a task of its own.
  public init(run: @escaping @Sendable (Request, Send<Action>) async -> Void) {
    self.init(failure: { (_: Never, _: Request) -> Action in }, run: run)
  }
}
