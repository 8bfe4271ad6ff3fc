import MillraceCollections

/// Makes the stores of parts. It keeps neither the store nor the engine alive, since a connection holds it.
struct PartStores<State: Sendable, Action: Sendable>: Sendable {
  let backend: Backend<State, Action>
  unowned let engine: Engine  // the engine owns the connection that holds this, and its turns alone call it

  func store<ID: Sendable, Part: Sendable, PartAction: Sendable>(
    of id: ID, _ lifetime: Lifetime<Part>, find: @escaping PartFinding<State, ID, Part>,
    action: @escaping @Sendable (ID, PartAction) -> Action
  ) -> Store<Part, PartAction> {
    Store<Part, PartAction>(
      engine: engine, backend: PartBackend(of: backend, id, lifetime, find: find, action),
      account: lifetime.account, keeping: nil)
  }
}

extension Store {
  var parts: PartStores<State, Action> { PartStores(backend: backend, engine: engine) }

  func place<Part: Equatable & Sendable, PartAction: Sendable>(
    whilePresent optional: Projection<State, Part?>, _ action: @escaping @Sendable (PartAction) -> Action,
    _ placement: Placement, _ connect: @escaping @Sendable (Store<Part, PartAction>) -> Void
  ) -> Connection {
    let find: PartFinding<State, NoPartID, Part> = { _, whole, body in
      optional.withPart(of: whole) { if let part = $0.read({ copy $0 }) { Box(part).read(body) } }
    }
    let part = ConnectedPart(
      newEntry(Part.self, placement, kind: "ifPresent"), in: engine, optional,
      isSame: haveSameID(Part.self) ?? { _, _ in true }
    ) { [parts] in connect(parts.store(of: NoPartID(), $0, find: find) { action($1) }) }
    if let wiring = engine.wiringRecorder {
      let ids = { (whole: Borrowed<State>) -> [AnyHashable] in
        var ids: [AnyHashable] = []
        find(NoPartID(), whole) { ids = [AnyHashable.id(of: $0.value) ?? AnyHashable(NoPartID())] }
        return ids
      }
      return wire(part, wiring, ids: ids, finding: { find(NoPartID(), $1, $2) }, begin: { part.connect?($1) })
    }
    return place(part) {
      part.whole = $0
      return $0.node
    }
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
    let each = ConnectedElements(
      newEntry(Element.self, placement, kind: "each"), in: engine, elements
    ) { [parts] in connect($0, parts.store(of: $0, $1, find: find, action: action)) }
    if let wiring = engine.wiringRecorder {
      let (engine, backend) = (engine, backend)
      let ids = { (whole: Borrowed<State>) -> [Element.ID] in
        var ids: [Element.ID] = []
        elements.withPart(of: whole) {
          $0.read { $0.forEachElement { element, _ in ids.append(element.pointee.id) } }
        }
        return ids
      }
      return wire(
        each, wiring, ids: ids,
        touched: { former in
          var found: (now: Revision?, ids: [Element.ID]?)
          backend.read(engine) {
            elements.withPart(of: $0) {
              let elements = $0.pointer.pointee
              found = (elements.revision, former.flatMap(elements.idsTouched))
            }
          }
          return found
        },
        finding: find, begin: { each.connect?($0, $1) })
    }
    return place(each) {
      each.whole = $0
      return $0.node
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
