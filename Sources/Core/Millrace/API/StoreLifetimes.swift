import MillraceCollections

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
  /// Lifetimes are decided in the turn of the action, even for consecutive actions of one drain. A change from `nil` to
  /// a value begins a lifetime, and a change from a value to `nil` ends it. If the value is `Identifiable`, a value
  /// with another `id` begins a new lifetime. When a lifetime ends, everything connected through its store is fenced in
  /// that turn and disconnected.
  ///
  /// Costs one comparison of the slice per action that changes the store's state.
  ///
  /// - Parameters:
  ///   - slice: the key path of the optional slice.
  ///   - action: makes the store's action from the slice's; pure, called where the action is sent.
  ///   - connect: connects components to the store of the slice, which is its argument. It is called on the reducer
  ///     queue, so it must not wait; it may end its own connection. Its connections are made at the end of the same
  ///     turn. The store that it receives keeps nothing alive. After the lifetime, `state` of that store is its last
  ///     one, and actions sent through it are fenced.
  @discardableResult
  public func connectIfPresent<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ slice: any KeyPath<State, Slice?> & Sendable, action: @escaping @Sendable (SliceAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    place(whilePresent: Projection(slice), action, Placement(name, fileID, line), connect)
  }

  /// Connects components to a value that a closure finds in the state, such as the case of an enum, for as long as it
  /// finds one.
  ///
  /// ```swift
  /// store.connectIfPresent(
  ///   computed: { if case .reading(let page) = $0.screen { page } else { nil } }, action: AppAction.page
  /// ) { page in
  ///   page.connect(PageEffect())
  /// }
  /// ```
  ///
  /// Works like the method that takes a key path. `slice` is pure, and evaluated on the reducer queue once per action
  /// that changes the store's state.
  @discardableResult
  public func connectIfPresent<Slice: Equatable & Sendable, SliceAction: Sendable>(
    computed slice: @escaping @Sendable (State) -> Slice?,
    action: @escaping @Sendable (SliceAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    place(whilePresent: Projection(computed: slice), action, Placement(name, fileID, line), connect)
  }

  /// Connects components to each element of a keyed collection, for as long as the element is in the collection.
  ///
  /// ```swift
  /// store.connectEach(\.rows, action: AppAction.row) { id, row in
  ///   row.connect(RowEffect())
  /// }
  /// ```
  ///
  /// Lifetimes are decided in the turn of the action: an element that one action removes and the next one adds again
  /// begins a new lifetime. When an element is removed, everything connected through its store is fenced in that
  /// turn. If very many elements are removed at once, their connections are torn down in the turns that follow.
  ///
  /// An action costs what it changes: the elements that it touched are found by key, independently of the number of
  /// others. If a collection is replaced by one that the last changes did not make from it, such as an earlier version,
  /// all elements are compared.
  ///
  /// - Parameters:
  ///   - elements: the key path of the collection.
  ///   - action: makes the store's action from an element's id and action; pure, called where the action is sent.
  ///   - connect: connects components to the store of one element. It is called on the reducer queue, once per
  ///     lifetime, under the rules of `connectIfPresent`.
  @discardableResult
  public func connectEach<Element: Identifiable & Equatable & Sendable, ElementAction: Sendable>(
    _ elements: any KeyPath<State, KeyedArray<Element>> & Sendable,
    action: @escaping @Sendable (Element.ID, ElementAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Element.ID, Store<Element, ElementAction>) -> Void
  ) -> Connection where Element.ID: Sendable {
    place(each: Projection(elements), action, Placement(name, fileID, line), connect)
  }
}
