// Calls that look right and are not. Each is declared unavailable, so that the compiler answers with the sentence given
// here. `Tests/Misuse` has a case of each.

extension Store {
  // MARK: One-line effects

  /// Refused: a condition is no request.
  @available(
    *, unavailable,
    message: "'when' gives an optional request or a Set of requests; for a condition use connect(while:)"
  )
  @discardableResult
  public func connect<EffectAction: Sendable>(
    when condition: @escaping @Sendable (State) -> Bool,
    action: @escaping @Sendable (EffectAction) -> Action, named name: String? = nil, background: Bool = false,
    run: @escaping @Sendable (Bool, Send<EffectAction>) async throws -> Void
  ) -> Connection { unavailable() }

  /// Refused: a condition is no request.
  @available(
    *, unavailable,
    message: "'when' gives an optional request or a Set of requests; for a condition use connect(while:)"
  )
  @discardableResult
  public func connect(
    when condition: @escaping @Sendable (State) -> Bool, named name: String? = nil, background: Bool = false,
    run: @escaping @Sendable (Bool, Send<Action>) async throws -> Void
  ) -> Connection { unavailable() }

  /// Refused: requests are a set.
  @available(*, unavailable, message: "requests are a set: give Set(…) of the array")
  @discardableResult
  public func connect<Request>(
    when requests: @escaping @Sendable (State) -> [Request], named name: String? = nil,
    background: Bool = false,
    run: @escaping @Sendable (Request, Send<Action>) async throws -> Void
  ) -> Connection { unavailable() }

  /// Refused: what is always asked for is written as an optional, and the result of several statements is named.
  @available(
    *, unavailable,
    message: """
      'when' gives an optional request or a Set of requests; name the result, as in '{ state -> String? in … }', where \
      the closure has several statements or always gives a request
      """
  )
  @discardableResult
  public func connect<Request: Hashable & Sendable>(
    when request: @escaping @Sendable (State) -> Request?, named name: String? = nil,
    background: Bool = false,
    run: @escaping @Sendable (Request, Send<Action>) async -> Void
  ) -> Connection { unavailable() }

  /// Refused: an error would be lost.
  @available(
    *, unavailable,
    message: "the body can throw: add 'failure:', which says what action an error becomes"
  )
  @discardableResult
  public func connect<Requests: RequestsAsked & Sendable>(
    when requests: @escaping @Sendable (State) -> Requests, named name: String? = nil,
    background: Bool = false,
    run: @escaping @Sendable (Requests.Request, Send<Action>) async throws -> Void
  ) -> Connection where Requests.Request: Sendable { unavailable() }

  // MARK: Effects, components and views

  /// Refused: scope the store first.
  @available(
    *, unavailable, message: "scope the store first: store.scope(computed: …, action: …).connect(effect)"
  )
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, computed slice: @escaping @Sendable (State) -> Effect.State,
    action: @escaping @Sendable (Effect.Action) -> Action, named name: String? = nil, background: Bool = false
  ) -> Connection { unavailable() }

  /// Refused: the actions differ.
  @available(
    *, unavailable,
    message:
      "the effect sends actions of another type: add 'action:', which makes the store's action of the effect's"
  )
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, to slice: any KeyPath<State, Effect.State> & Sendable, named name: String? = nil,
    background: Bool = false
  ) -> Connection { unavailable() }

  /// Refused: the slice is of another type.
  @available(
    *, unavailable,
    message: "the slice is not of the type that the effect watches; make it by store.scope(computed:action:)"
  )
  @discardableResult
  public func connect<Effect: EffectComponent, Slice>(
    _ effect: Effect, to slice: KeyPath<State, Slice>, named name: String? = nil, background: Bool = false
  ) -> Connection { unavailable() }

  /// Refused: the state is of another type.
  @available(
    *, unavailable,
    message:
      "the effect watches another state or sends other actions than the store's: add 'to:' and 'action:'"
  )
  @discardableResult
  public func connect<Effect: EffectComponent>(
    _ effect: Effect, named name: String? = nil, background: Bool = false
  ) -> Connection { unavailable() }

  /// Refused: the slice is of another type.
  @available(
    *, unavailable, message: "the slice is not of the type of the props; make them by connect(_:props:)"
  )
  @discardableResult
  public func connect<Receiver: PropsReceiver, Slice>(
    _ receiver: Receiver, to slice: KeyPath<State, Slice>, named name: String? = nil, background: Bool = false
  ) -> Connection { unavailable() }

  /// Refused: not something that can be connected.
  @available(
    *, unavailable, message: "only an EffectComponent, a Component or a ViewComponent can be connected"
  )
  @discardableResult
  public func connect<Other, Slice>(
    _ other: Other, to slice: KeyPath<State, Slice>, named name: String? = nil, background: Bool = false
  ) -> Connection { unavailable() }

  // MARK: Lifetimes

  /// Refused: a predicate gives a Bool.
  @available(*, unavailable, message: "for what is there or not use connectIfPresent; 'while' gives a Bool")
  @discardableResult
  public func connect<Value>(
    while predicate: @escaping @Sendable (State) -> Value?, named name: String? = nil,
    _ connect: @escaping @Sendable (Store<State, Action>) -> Void
  ) -> Connection { unavailable() }

  /// Refused: the slice is always there.
  @available(*, unavailable, message: "the slice is not optional: it is always present; use scope(_:action:)")
  @discardableResult
  public func connectIfPresent<Slice, SliceAction: Sendable>(
    _ slice: KeyPath<State, Slice>, action: @escaping @Sendable (SliceAction) -> Action,
    named name: String? = nil, _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection { unavailable() }

  /// Refused: elements of an array are found by comparing all of them.
  @available(*, unavailable, message: "keep the elements in a KeyedArray, which finds each by its id")
  @discardableResult
  public func connectEach<Element, ID: Sendable, ElementAction: Sendable>(
    _ elements: KeyPath<State, [Element]>, action: @escaping @Sendable (ID, ElementAction) -> Action,
    named name: String? = nil, _ connect: @escaping @Sendable (ID, Store<Element, ElementAction>) -> Void
  ) -> Connection { unavailable() }

  /// Refused: a dictionary has no order and tells no changes.
  @available(
    *, unavailable,
    message: "keep the values in a KeyedArray of Identifiable elements, which finds each by its id"
  )
  @discardableResult
  public func connectEach<Key, Value, ElementAction: Sendable>(
    _ elements: KeyPath<State, [Key: Value]>, action: @escaping @Sendable (Key, ElementAction) -> Action,
    named name: String? = nil, _ connect: @escaping @Sendable (Key, Store<Value, ElementAction>) -> Void
  ) -> Connection { unavailable() }
}

extension ConnectionBag {
  /// Renamed, since it disconnects.
  @available(*, unavailable, renamed: "disconnectAndFinish()")
  public func finished() async { unavailable() }
}

// Never called: every declaration above is unavailable, and Swift wants a body.
private func unavailable() -> Never { fatalError("a call that the compiler refuses") }
