/// The parts of the state that one lifetime has begun and not ended, as a value with what belongs to each.
///
/// Outside of the runtime the edges of lifetimes are decided here alone. A copy is a branch.
package struct LiveParts<ID: Hashable, Part> {
  package private(set) var ids: [ID] = []
  package private(set) var parts: [Part] = []

  package init() {}

  /// The state has exactly the parts `present`: those that are gone end, before the others go on or begin in their order.
  package mutating func partsChanged(
    to present: [ID], ended: (Part) -> Void, kept: (inout Part) -> Void, began: (ID) -> Part
  ) {
    if present == ids {
      for index in parts.indices { kept(&parts[index]) }
      return
    }
    let remaining = Set(present)
    var known: [ID: Part] = [:]
    for (id, part) in zip(ids, parts) {
      if remaining.contains(id) { known[id] = part } else { ended(part) }
    }
    ids = present
    parts = present.map { id in
      guard var part = known[id] else { return began(id) }
      kept(&part)
      return part
    }
  }

  /// Something within one part has changed by itself.
  package mutating func change(_ index: Int, _ body: (inout Part) -> Void) { body(&parts[index]) }
}
