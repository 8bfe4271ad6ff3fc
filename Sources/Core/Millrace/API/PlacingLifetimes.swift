import MillraceCollections

extension Store {
  func place<Part: Equatable & Sendable, PartAction: Sendable>(
    whilePresent optional: Projection<State, Part?>, _ action: @escaping @Sendable (PartAction) -> Action,
    _ placement: Placement, _ connect: @escaping @Sendable (Store<Part, PartAction>) -> Void
  ) -> Connection {
    let find: PartFinding<State, NoPartID, Part> = { _, whole, body in
      optional.withPart(of: whole) { if let part = $0.read({ copy $0 }) { Box(part).read(body) } }
    }
    let store = partStores(find) { action($1) }
    return place(
      ConnectedPart(
        newEntry(Part.self, placement, kind: "ifPresent"), at: backend, in: engine, optional,
        isSame: haveSameID(Part.self) ?? { _, _ in true }
      ) { connect(store($0, $1)) })
  }

  func place<Element: Identifiable & Equatable & Sendable, ElementAction: Sendable>(
    each elements: Projection<State, KeyedArray<Element>>,
    _ action: @escaping @Sendable (Element.ID, ElementAction) -> Action, _ placement: Placement,
    _ connect: @escaping @Sendable (Element.ID, Store<Element, ElementAction>) -> Void
  ) -> Connection where Element.ID: Sendable {
    let find: PartFinding<State, Element.ID, Element> = { id, whole, body in
      elements.withPart(of: whole) {
        $0.read { _ = $0.withElement(id: id) { body(Borrowed(pointer: $0)) } }
      }
    }
    let store = partStores(find, action)
    return place(
      ConnectedElements(
        newEntry(Element.self, placement, kind: "each"), at: backend, in: engine, elements
      ) { connect($0, store($0, $1)) })
  }

  /// Returns a function that makes the store of a part. It keeps neither this store nor the engine alive, since a
  /// connection of that engine holds it.
  private func partStores<ID: Sendable, Part: Sendable, PartAction: Sendable>(
    _ find: @escaping PartFinding<State, ID, Part>, _ action: @escaping @Sendable (ID, PartAction) -> Action
  ) -> (ID, Life) -> Store<Part, PartAction> {
    { [backend, unowned engine] id, life in  // the engine owns the connection, and its turns alone call this
      Store<Part, PartAction>(
        engine: engine, backend: PartBackend(of: backend, id, life, find: find, action),
        account: life.account, keeping: nil)
    }
  }
}

/// Returns a function that compares the `id` of two values; `nil` if the type is not `Identifiable`.
///
/// The conformance is found at run time, so that a generic caller that does not know it gets the same answer.
private func haveSameID<Value>(_ type: Value.Type) -> ((Value, Value) -> Bool)? {
  func compare<Known: Identifiable>(_ known: Known.Type) -> ((Value, Value) -> Bool)? {
    let areSame = { (left: Known, right: Known) in left.id == right.id }
    return areSame as? (Value, Value) -> Bool
  }
  guard let known = type as? any Identifiable.Type else { return nil }
  return compare(known)
}
