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
  /// consecutive actions of one batch. When a lifetime ends, everything connected through its store is fenced in that
  /// step and disconnected.
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
    let attachment = newKeeper(Label(given: name ?? "ifPresent", type: Slice.self), site)
    let binding = LifetimeBinding(PresentPart(slice, isSame: isSame), in: engine) {
      [backend, unowned engine] lifetime in
      let part = Backend<Slice, SliceAction>.part(
        of: backend, in: lifetime.scope, at: lifetime.place,
        find: { whole, body in
          slice.withPart(of: whole) { optional in
            guard let part = optional.lend({ copy $0 }) else { return }
            Box(part).lend(body)
          }
        }, action)
      connect(Store<Slice, SliceAction>(engine: engine, backend: part, account: lifetime.scope, keeping: nil))
    }
    return self.connect(attachment, binding, watch: binding.watch)
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
    let elements = Projection(elements)
    let attachment = newKeeper(
      Label(given: name ?? "each", type: Element.self), CallSite(fileID: fileID, line: line))
    let binding = EachBinding(elements, in: engine) { [backend, unowned engine] id, lifetime in
      let part = Backend<Element, ElementAction>.part(
        of: backend, in: lifetime.scope, at: lifetime.place,
        find: { whole, body in
          elements.withPart(of: whole) { elements in
            elements.lend { elements in
              _ = elements.withElement(id: id) { body(Lent(pointer: $0)) }
            }
          }
        }, { action(id, $0) })
      connect(
        id,
        Store<Element, ElementAction>(engine: engine, backend: part, account: lifetime.scope, keeping: nil))
    }
    return self.connect(attachment, binding, watch: binding.watch)
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
    let attachment = newKeeper(
      Label(given: name ?? "while", type: State.self), CallSite(fileID: fileID, line: line))
    let finder = ConditionPart<State>(while: { predicate($0) })
    let binding = LifetimeBinding(finder, in: engine) { [backend, unowned engine] lifetime in
      let part = Backend<State, Action>.part(
        of: backend, in: lifetime.scope, at: lifetime.place, find: { whole, body in body(whole) }, { $0 })
      connect(Store(engine: engine, backend: part, account: lifetime.scope, keeping: nil))
    }
    return self.connect(attachment, binding) { whole in
      finder.watch(whole)
      binding.watch(whole)
    }
  }

  private func newKeeper(_ label: Label, _ site: CallSite) -> Attachment {
    let inner = Scope(parent: account)
    let attachment = engine.newAttachment(label, account, site, .parts, inner: inner)
    inner.keeper = attachment
    return attachment
  }

  /// - Parameter watch: is given the value of the slice, in the turn in which it is connected.
  private func connect(
    _ attachment: Attachment, _ binding: any Binding, watch: @escaping (any Watched<State>) -> Void
  ) -> Connection {
    engine.connect(attachment, binding) { [backend, unowned engine] in
      let whole = backend.node(engine)
      watch(whole.value)
      return whole.node
    }
    return Connection(attachment, in: engine)
  }
}
