import MillraceCollections

/// Makes the stores of parts. Keeps neither the store nor the engine alive, since a connection holds it.
struct PartStores<State: Sendable, Action: Sendable>: Sendable {
  let backend: Backend<State, Action>
  unowned let engine: Engine  // which owns the connection that holds this, and calls it in its turns alone

  func store<Part: Sendable, PartAction: Sendable>(
    of lifetime: Lifetime<Part>, action: @escaping @Sendable (PartAction) -> Action,
    find: @escaping PartFinding<State, Part>
  ) -> Store<Part, PartAction> {
    let part = PartBackend(
      of: backend, in: lifetime.account, at: lifetime.place, find: find, action)
    return Store<Part, PartAction>(engine: engine, backend: part, account: lifetime.account, keeping: nil)
  }
}

extension Store {
  var parts: PartStores<State, Action> { PartStores(backend: backend, engine: engine) }

  func place<Part: Equatable & Sendable, PartAction: Sendable>(
    whilePresent optional: Projection<State, Part?>, _ action: @escaping @Sendable (PartAction) -> Action,
    _ placement: Placement, _ connect: @escaping @Sendable (Store<Part, PartAction>) -> Void
  ) -> Connection {
    let find: PartFinding<State, Part> = { whole, body in
      optional.withPart(of: whole) { if let part = $0.read({ copy $0 }) { Box(part).read(body) } }
    }
    let part = ConnectedPart(
      newEntry(Part.self, placement, kind: "ifPresent"), in: engine, optional,
      isSame: haveSameID(Part.self) ?? { _, _ in true }
    ) { [parts] in connect(parts.store(of: $0, action: action, find: find)) }
    if let wiring = engine.wiringRecorder {
      let ids = { (whole: Borrowed<State>) -> [AnyHashable] in
        var ids: [AnyHashable] = []
        find(whole) { ids = [AnyHashable.id(of: $0.value) ?? AnyHashable(NoPartID())] }
        return ids
      }
      return wire(part, wiring, ids: ids, finding: { _ in find }, begin: { part.connect?($1) })
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
    let find: @Sendable (Element.ID) -> PartFinding<State, Element> = { id in
      { whole, body in
        elements.withPart(of: whole) {
          $0.read { _ = $0.withElement(id: id) { body(Borrowed(pointer: $0)) } }
        }
      }
    }
    let each = ConnectedElements(
      newEntry(Element.self, placement, kind: "each"), in: engine, elements
    ) { [parts] id, lifetime in
      connect(id, parts.store(of: lifetime, action: { action(id, $0) }, find: find(id)))
    }
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

/// Whether two values have the same `id`; `nil` where the type is not `Identifiable`.
///
/// Looked up at run time, so that a generic caller that does not know of the conformance gets the same answer.
private func haveSameID<Value>(_ type: Value.Type) -> ((Value, Value) -> Bool)? {
  func compare<Known: Identifiable>(_ known: Known.Type) -> ((Value, Value) -> Bool)? {
    let areSame = { (left: Known, right: Known) in left.id == right.id }
    return areSame as? (Value, Value) -> Bool
  }
  guard let known = type as? any Identifiable.Type else { return nil }
  return compare(known)
}
