extension DifferenceComparison {
  /// Compares parts of two sequences by indices. Elements replaced by equally many are compared one by one; the rest is
  /// inserted or removed.
  mutating func compareInOrder(
    _ old: Range<Int>, _ new: Range<Int>,
    areAlike: (_ old: Int, _ new: Int) -> Bool,
    changed: (inout Self, _ old: Int, _ new: Int) -> Outcome,
    inserted: (inout Self, _ new: Int) -> Outcome,
    removed: (inout Self, _ old: Int) -> Outcome
  ) -> Outcome {
    var outcome = Outcome.equal
    for hunk in EditScript.hunks(old: old, new: new, areEqual: areAlike) {
      let pairs = min(hunk.removed.count, hunk.inserted.count)
      for (old, new) in zip(hunk.removed, hunk.inserted) { outcome = outcome.and(changed(&self, old, new)) }
      for old in hunk.removed.dropFirst(pairs) { outcome = outcome.and(removed(&self, old)) }
      for new in hunk.inserted.dropFirst(pairs) { outcome = outcome.and(inserted(&self, new)) }
    }
    return outcome
  }

  /// Compares elements that have no identity.
  mutating func compareElements(_ old: [Any], _ new: [Any], at path: DifferencePath) -> Outcome {
    if isProbe { return probeElements(old, new) }
    var alike = Outcome.equal  // or `equalButForNaN`, of all elements that do not differ
    let objects = objects
    let outcome = compareInOrder(
      old.indices, new.indices,
      areAlike: {
        let outcome = Self.probe(old[$0], new[$1], knowing: objects)
        if outcome != .different { alike = alike.and(outcome) }
        return outcome != .different
      },
      changed: { $0.compare(old[$1], new[$2], at: path.element(at: $2)) },
      inserted: { $0.found(.added(new[$1], at: nil), at: path.element(at: $1)) },
      removed: { $0.found(.removed(old[$1]), at: path.element(at: $1)) })
    return outcome.and(alike)
  }

  private mutating func probeElements(_ old: [Any], _ new: [Any]) -> Outcome {
    guard old.count == new.count else { return .different }
    var outcome = Outcome.equal
    for index in 0..<old.count where outcome != .different {
      outcome = outcome.and(compare(old[index], new[index], at: DifferencePath()))
    }
    return outcome
  }
}
