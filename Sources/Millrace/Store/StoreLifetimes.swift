extension Store {
  // MARK: Lifetimes by state

  /// Connects components to an optional slice for as long as it is present.
  ///
  /// ```swift
  /// store.connectIfPresent(\.detail, action: AppAction.detail) { detail in
  ///   detail.connect(DetailEffect())
  /// }
  /// ```
  ///
  /// Decided in the same step as the action: absent to present begins a lifetime, present to absent ends it, also in
  /// consecutive actions of one batch. When a lifetime ends, everything connected through its store is fenced in that
  /// step and disconnected.
  ///
  /// - Parameters:
  ///   - slice: the way to the optional slice.
  ///   - action: makes the store's action of the slice's; pure.
  ///   - connect: connects what shall live with the slice, to the store that it is given. Called on the reducer queue;
  ///     the store keeps neither itself nor the root store alive, and once the slice is gone its `state` is the last
  ///     one that it had and what is dispatched through it is fenced.
  @discardableResult
  public func connectIfPresent<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ slice: any KeyPath<State, Slice?> & Sendable, action: @escaping @Sendable (SliceAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    connectIfPresent(
      Projection(slice), isSame: { _, _ in true }, action, name, CallSite(fileID: fileID, line: line), connect
    )
  }

  /// Connects components to an optional slice for as long as it is present with one and the same `id`: a value
  /// replaced by another with a different `id` is a new lifetime.
  @discardableResult
  public func connectIfPresent<Slice: Equatable & Sendable & Identifiable, SliceAction: Sendable>(
    _ slice: any KeyPath<State, Slice?> & Sendable, action: @escaping @Sendable (SliceAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    connectIfPresent(
      Projection(slice), isSame: { $0.id == $1.id }, action, name, CallSite(fileID: fileID, line: line),
      connect)
  }

  private func connectIfPresent<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ slice: Projection<State, Slice?>, isSame: @escaping @Sendable (Slice, Slice) -> Bool,
    _ action: @escaping @Sendable (SliceAction) -> Action, _ name: String?, _ site: CallSite,
    _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    let place = engine.newPlace(
      Label(given: name ?? "ifPresent", type: Slice.self), scopeAccount, site, isDisplay: false)
    return connectLifetime(
      PresenceAttachment(at: place, of: backend, slice, isSame: isSame, action: action, connect))
  }

  /// Connects components to every element of a keyed collection, each for as long as it is in the collection.
  ///
  /// ```swift
  /// store.connectEach(\.rows, action: AppAction.row) { id, row in
  ///   row.connect(RowEffect())
  /// }
  /// ```
  ///
  /// Decided in the same step as the action: an element that one action removes and the next adds again is a new
  /// lifetime. An action costs what it changes: the elements that it touched are reached by key, however many there
  /// are. Where a collection is replaced by one that was not made from it by the last changes, such as an earlier
  /// version, all are looked at. When an element goes, everything connected through its store is fenced in that step;
  /// where very much goes at once, it is disconnected in turns to come.
  ///
  /// - Parameters:
  ///   - elements: the way to the collection.
  ///   - action: makes the store's action of an element's; pure.
  ///   - connect: connects what shall live with an element, to the store that it is given. Called on the reducer
  ///     queue, once per lifetime.
  @discardableResult
  public func connectEach<Element: Identifiable & Equatable & Sendable, ElementAction: Sendable>(
    _ elements: any KeyPath<State, KeyedArray<Element>> & Sendable,
    action: @escaping @Sendable (Element.ID, ElementAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Element.ID, Store<Element, ElementAction>) -> Void
  ) -> Connection where Element.ID: Sendable {
    let place = engine.newPlace(
      Label(given: name ?? "each", type: Element.self), scopeAccount, CallSite(fileID: fileID, line: line),
      isDisplay: false)
    return connectLifetime(
      EachAttachment(at: place, of: backend, Projection(elements), action: action, connect))
  }

  /// Connects components for as long as a predicate of the state holds.
  ///
  /// ```swift
  /// store.connect(while: \.isSignedIn) { store in
  ///   store.connect(SyncEffect(), to: \.sync, action: AppAction.sync)
  /// }
  /// ```
  ///
  /// Decided in the same step as the action. `predicate` is pure and called on the reducer queue, once per action that
  /// changes the store's slice.
  @discardableResult
  public func connect(
    while predicate: @escaping @Sendable (State) -> Bool, named name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<State, Action>) -> Void
  ) -> Connection {
    let place = engine.newPlace(
      Label(given: name ?? "while", type: State.self), scopeAccount, CallSite(fileID: fileID, line: line),
      isDisplay: false)
    return connectLifetime(PredicateAttachment(at: place, of: backend, while: predicate, connect))
  }

  private func connectLifetime(_ attachment: any LifetimeAttachment) -> Connection {
    engine.connect(attachment) { [backend] in backend.node(in: $0) }
    return Connection(attachment, in: engine)
  }
}
