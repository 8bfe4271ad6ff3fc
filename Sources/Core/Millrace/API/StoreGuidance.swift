// Calls that look right and do not compile, declared unavailable so that the compiler explains them. Only calls whose
// compiler message would otherwise mislead are declared. `Tests/Core/Misuse` has a case of each.

extension Store {
  // MARK: One-line effects

  /// Refused: a condition is not a request.
  @available(
    *, unavailable,
    message: """
      'when' gives an optional request or a Set of requests; for a condition use connectIfPresent(computed:)
      """
  )
  @discardableResult
  public func connect(
    when condition: @escaping @Sendable (State) -> Bool, named name: String? = nil, longRunning: Bool = false,
    run: @escaping @Sendable (Bool, Send<Action>) async throws -> Void
  ) -> Connection { unavailable() }

  /// Refused: a value that is always present is written as an optional, and the result of several statements has a
  /// name.
  @available(
    *, unavailable,
    message: """
      'when' gives an optional request or a Set of requests; for a value that is always there write \
      '{ Optional($0.value) }', also in place of a key path; where the closure has several statements, name the result, \
      as in '{ state -> String? in … }'
      """
  )
  @discardableResult
  public func connect<Request: Hashable & Sendable>(
    when request: @escaping @Sendable (State) -> Request?, named name: String? = nil,
    longRunning: Bool = false,
    run: @escaping @Sendable (Request, Send<Action>) async -> Void
  ) -> Connection { unavailable() }

  /// Refused: an error would be lost.
  @available(
    *, unavailable,
    message: "the body can throw: add 'failure:', which says what action an error becomes"
  )
  @discardableResult
  public func connect<Requests: RequestCollection & Sendable>(
    when requests: @escaping @Sendable (State) -> Requests, named name: String? = nil,
    longRunning: Bool = false,
    run: @escaping @Sendable (Requests.Request, Send<Action>) async throws -> Void
  ) -> Connection where Requests.Request: Sendable { unavailable() }

  // MARK: Effects, components and views

  /// Refused: the slice or the actions have another type.
  @available(
    *, unavailable,
    message: """
      the effect watches a slice of another type or sends other actions than the store's: make the slice by \
      store.scope(computed:action:), or add 'action:'
      """
  )
  @discardableResult
  public func connect<Effect: EffectComponent, Slice>(
    _ effect: Effect, to slice: KeyPath<State, Slice>, named name: String? = nil, longRunning: Bool = false
  ) -> Connection { unavailable() }
}

// Never called. Every declaration above is unavailable, and Swift requires a body.
private func unavailable() -> Never { fatalError("a call that the compiler refuses") }
