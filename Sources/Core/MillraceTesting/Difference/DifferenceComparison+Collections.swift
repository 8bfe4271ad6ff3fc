extension DifferenceComparison {
  mutating func compareCollections(
    _ old: Mirror, _ new: Mirror, at path: DifferencePath
  ) -> Outcome {
    let (old, new) = (old.children.map(\.value), new.children.map(\.value))
    if let old = Identified(old), let new = Identified(new) { return compareIdentified(old, new, at: path) }
    return compareElements(old, new, at: path)
  }

  /// Compares elements by their ids. An element in both collections that did not keep its order was moved.
  mutating func compareIdentified(
    _ old: Identified, _ new: Identified, isOrdered: Bool = true, at path: DifferencePath
  ) -> Outcome {
    var outcome = Outcome.equal
    for (id, element) in zip(old.ids, old.elements) where new.positions[id] == nil {
      outcome = found(.removed(element), at: path.element(withID: id))
    }
    let kept = new.ids.indices.compactMap { index in
      old.positions[new.ids[index]].map { (new: index, old: $0) }
    }
    let inOrder = isOrdered ? KeptOrder.indices(in: kept.map(\.old)) : Set(kept.indices)
    var next = 0
    for (index, id) in new.ids.enumerated() {
      let path = path.element(withID: id)
      guard next < kept.count, kept[next].new == index else {
        outcome = found(.added(new.elements[index], at: isOrdered ? index : nil), at: path)
        continue
      }
      let before = kept[next].old
      if !inOrder.contains(next) { outcome = found(.moved(from: before, to: index), at: path) }
      outcome = outcome.and(compare(old.elements[before], new.elements[index], at: path))
      next += 1
    }
    return outcome
  }

  mutating func compareDictionaries(_ old: Mirror, _ new: Mirror, at path: DifferencePath) -> Outcome {
    let (old, new) = (Self.entries(of: old), Self.entries(of: new))
    var outcome = Outcome.equal
    for key in Self.sorted(Set(old.keys).union(new.keys)) {
      let path = path.value(forKey: key.base)
      switch (old[key], new[key]) {
      case (let old?, let new?): outcome = outcome.and(compare(old, new, at: path))
      case (let old?, nil): outcome = found(.removed(old), at: path)
      case (nil, let new?): outcome = found(.added(new, at: nil), at: path)
      case (nil, nil): break
      }
    }
    return outcome
  }

  mutating func compareSets(_ old: Mirror, _ new: Mirror, at path: DifferencePath) -> Outcome {
    let (oldSet, newSet) = (Self.elements(of: old), Self.elements(of: new))
    let gone = Self.sorted(oldSet.subtracting(newSet))
    let come = Self.sorted(newSet.subtracting(oldSet))
    if let gone = Identified(gone.map(\.base)), let come = Identified(come.map(\.base)) {
      return compareIdentified(gone, come, isOrdered: false, at: path)
    }
    var outcome = Outcome.equal
    for element in gone { outcome = found(.removed(element.base), at: path) }
    for element in come { outcome = found(.added(element.base, at: nil), at: path) }
    return outcome
  }

  private static func entries(of mirror: Mirror) -> [AnyHashable: Any] {
    var entries: [AnyHashable: Any] = [:]
    for entry in mirror.children {
      let pair = Mirror(reflecting: entry.value).children.map(\.value)
      if pair.count == 2, let key = pair[0] as? AnyHashable { entries[key] = pair[1] }
    }
    return entries
  }

  private static func elements(of mirror: Mirror) -> Set<AnyHashable> {
    Set(mirror.children.compactMap { $0.value as? AnyHashable })
  }

  /// Sorted, so that the order is the same in each run: numbers by value, other values by text.
  private static func sorted(_ values: Set<AnyHashable>) -> [AnyHashable] {
    if values.allSatisfy({ $0.base is Int }) {
      return values.sorted { ($0.base as? Int ?? 0) < ($1.base as? Int ?? 0) }
    }
    return values.map { ($0, "\(ValueText($0.base))") }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}
