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
  /// Decided in the same step as the action: absent to present begins a lifetime, present to absent ends it, also in
  /// consecutive actions of one batch. Where the value is `Identifiable`, another `id` is another lifetime. When a
  /// lifetime ends, everything connected through its store is fenced in that step and disconnected.
  ///
  /// Costs one comparison of the slice per action that changes the store's state.
  ///
  /// - Parameters:
  ///   - slice: the way to the optional slice.
  ///   - action: makes the store's action of the slice's; pure.
  ///   - connect: connects what shall live with the slice, to the store that it is given. Called on the
  ///     reducer queue, like a selector: it waits for nothing, and may end its own connection. What it
  ///     connects is connected at the end of the same turn; the store keeps neither itself nor the root store
  ///     alive, and once the slice is gone its `state` is the last one that it had and what is dispatched
  ///     through it is fenced.
  @discardableResult
  public func connectIfPresent<Slice: Equatable & Sendable, SliceAction: Sendable>(
    _ slice: any KeyPath<State, Slice?> & Sendable, action: @escaping @Sendable (SliceAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    place(whilePresent: Projection(slice), action, Placement(name, fileID, line), connect)
  }

  /// Connects components to what a closure finds in the state, for as long as it finds it: one case of an enum.
  ///
  /// ```swift
  /// store.connectIfPresent(
  ///   computed: { if case .reading(let page) = $0.screen { page } else { nil } }, action: AppAction.page
  /// ) { page in
  ///   page.connect(PageEffect())
  /// }
  /// ```
  ///
  /// Like the method that takes a key path. `slice` is pure, and evaluated on the reducer queue once per action that
  /// changes the store's state.
  @discardableResult
  public func connectIfPresent<Slice: Equatable & Sendable, SliceAction: Sendable>(
    computed slice: @escaping @Sendable (State) -> Slice?,
    action: @escaping @Sendable (SliceAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<Slice, SliceAction>) -> Void
  ) -> Connection {
    place(whilePresent: Projection("computed", slice), action, Placement(name, fileID, line), connect)
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
  /// lifetime. When an element goes, everything connected through its store is fenced in that step; where very much
  /// goes at once, it is disconnected in turns to come.
  ///
  /// An action costs what it changes: the elements that it touched are reached by key, however many there are. Where
  /// a collection is replaced by one that was not made from it by the last changes, such as an earlier version, all
  /// elements are compared.
  ///
  /// - Parameters:
  ///   - elements: the way to the collection.
  ///   - action: makes the store's action of an element's; pure.
  ///   - connect: connects what shall live with an element, to the store that it is given. Called on the reducer
  ///     queue, once per lifetime, under the rules of `connectIfPresent`.
  @discardableResult
  public func connectEach<Element: Identifiable & Equatable & Sendable, ElementAction: Sendable>(
    _ elements: any KeyPath<State, KeyedArray<Element>> & Sendable,
    action: @escaping @Sendable (Element.ID, ElementAction) -> Action,
    named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Element.ID, Store<Element, ElementAction>) -> Void
  ) -> Connection where Element.ID: Sendable {
    let elements = Projection(elements)
    let attachment = newKeeper(Element.self, "each", Placement(name, fileID, line))
    let binding = EachBinding(elements, in: engine) { [parts] id, lifetime in
      connect(
        id,
        parts.store(of: lifetime, action: { action(id, $0) }) { whole, body in
          elements.withPart(of: whole) {
            $0.lend { _ = $0.withElement(id: id) { body(Lent(pointer: $0)) } }
          }
        })
    }
    return place(attachment, binding, at: { whole, _ in whole }, watch: binding.watch)
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
  ///
  /// - Parameter connect: connects what shall live while the predicate holds, under the rules of `connectIfPresent`.
  @discardableResult
  public func connect(
    while predicate: @escaping @Sendable (State) -> Bool, named name: String? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ connect: @escaping @Sendable (Store<State, Action>) -> Void
  ) -> Connection {
    let attachment = newKeeper(State.self, "while", Placement(name, fileID, line))
    let finder = ConditionPart<State>(while: { predicate($0) })
    let binding = LifetimeBinding(finder, in: engine) { [parts] lifetime in
      connect(parts.store(of: lifetime, action: { $0 }) { whole, body in body(whole) })
    }
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    return place(attachment, binding, at: { whole, _ in whole }) { whole in
      finder.watch(whole)
      binding.watch(whole)
    }
  }
}
