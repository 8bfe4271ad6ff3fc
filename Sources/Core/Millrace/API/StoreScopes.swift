extension Store {
  // MARK: Scopes

  /// Returns a store of a slice, for a module that does not know the app.
  ///
  /// A scope holds no state: it reads and changes the one state of its store. It costs nothing per action until
  /// something is connected through it. Then it costs one comparison of the slice, shared with every scope and
  /// component of an equal key path. The store then keeps the slice's last value, so the next change of an array in the
  /// slice copies that array. With an effect connected through the scope, that happens at each change; otherwise at
  /// most once per drained batch.
  ///
  /// - Parameters:
  ///   - slice: the key path of the slice.
  ///   - action: makes the store's action from the scope's. Pure, and called where the action is sent.
  public func scope<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ slice: any KeyPath<State, Slice> & Sendable, action: @escaping @Sendable (SliceAction) -> Action
  ) -> Store<Slice, SliceAction> {
    scope(Projection(slice), action)
  }

  /// Returns a store of a slice that accepts the store's own actions.
  public func scope<Slice: Equatable & Sendable>(
    _ slice: any KeyPath<State, Slice> & Sendable
  ) -> Store<Slice, Action> {
    scope(Projection(slice), { $0 })
  }

  /// Returns a store of a slice that a closure computes. The closure is pure; it is evaluated on the reducer queue
  /// for this scope alone, without copying the state. The slice's last value is kept, as for a key path.
  public func scope<Slice: Equatable & Sendable, SliceAction: Sendable>(
    computed slice: @escaping @Sendable (State) -> Slice, action: @escaping @Sendable (SliceAction) -> Action
  ) -> Store<Slice, SliceAction> {
    scope(Projection(computed: slice), action)
  }

  /// Returns a store of a slice that a closure computes; the store accepts the original store's own actions. Costs as
  /// much as the method with `action:`.
  public func scope<Slice: Equatable & Sendable>(
    computed slice: @escaping @Sendable (State) -> Slice
  ) -> Store<Slice, Action> {
    scope(Projection(computed: slice), { $0 })
  }

  private func scope<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ projection: Projection<State, Slice>, _ action: @escaping @Sendable (SliceAction) -> Action
  ) -> Store<Slice, SliceAction> {
    Store<Slice, SliceAction>(
      engine: engine, backend: ScopeBackend(of: backend, projection, action),
      account: Account(parent: account),
      keeping: root != nil ? self : owner)
  }
}
