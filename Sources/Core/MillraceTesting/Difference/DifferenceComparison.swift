/// Compares two values part by part, and collects the differences.
struct DifferenceComparison {
  /// The result of the comparison of two values. Of two parts, the outcome declared later counts.
  enum Outcome: Int {
    case equal
    /// Equal except for NaNs in the same places, which `==` counts as unequal.
    case equalButForNaN
    /// Assumed to be equal: two objects that contain each other, and that the comparison has reached again.
    case assumed
    case different

    func and(_ other: Self) -> Self { rawValue < other.rawValue ? other : self }
  }

  private static let deepest = 200

  var findings: DifferenceFindings
  /// Whether only the outcome counts. A probe does not search for the shortest edit script, which would make probes
  /// itself.
  let isProbe: Bool
  let objects: ComparedObjects
  /// The number of nested pairs of objects that are being compared.
  private var openPairs = 0
  private var depth = 0
  private var isUnfinished = false

  init(findings: DifferenceFindings, isProbe: Bool = false, objects: ComparedObjects = ComparedObjects()) {
    (self.findings, self.isProbe, self.objects) = (findings, isProbe, objects)
  }

  /// Compares two elements for an edit script.
  static func probe(_ old: Any, _ new: Any, knowing objects: ComparedObjects) -> Outcome {
    let findings = DifferenceFindings(wording: .change, limit: 0)
    var comparison = DifferenceComparison(findings: findings, isProbe: true, objects: objects)
    return comparison.compare(old, new, at: DifferencePath())
  }

  @discardableResult
  mutating func compare(_ old: Any, _ new: Any, at path: DifferencePath) -> Outcome {
    guard type(of: old) == type(of: new) else { return replaced(old, new, at: path) }
    let isEqual = Equality.of(old, new)
    if isEqual == true { return .equal }
    if Equality.areNaN(old, new) { return .equalButForNaN }
    // Continues even if `==` is false: the values may be equal except for NaNs, or in all their parts.
    if let bound = reachedBound { return unfinished(bound, isEqual, old, new, at: path) }
    objects.parts += 1
    depth += 1
    defer { depth -= 1 }
    let outcome = compareParts(old, new, at: path)
    guard outcome == .equal, isEqual == false else { return outcome }
    // In a probe, an object counts as equal if its parts are, whatever its `==` returns.
    return isProbe && type(of: old) is AnyClass ? .equal : found(.hidden(new), at: path)
  }

  private var reachedBound: String? {
    if depth > Self.deepest { return "more than \(Self.deepest) levels deep" }
    let most = isProbe ? objects.mostProbedParts : objects.mostParts
    return objects.parts >= most ? "more than \(most) parts" : nil
  }

  /// Reports parts that a bound leaves out, since they may differ. Reports only the first such part, but lists all that
  /// `==` tells apart.
  private mutating func unfinished(
    _ reason: String, _ isEqual: Bool?, _ old: Any, _ new: Any, at path: DifferencePath
  ) -> Outcome {
    if isEqual == false { return replaced(old, new, at: path) }
    if isUnfinished { return .different }
    isUnfinished = true
    return found(.unfinished(reason), at: path)
  }

  mutating func found(_ finding: DifferenceFinding, at path: DifferencePath) -> Outcome {
    findings.found(finding, at: path)
    return .different
  }

  private mutating func replaced(_ old: Any, _ new: Any, at path: DifferencePath) -> Outcome {
    found(.replaced(old: old, new: new), at: path)
  }

  private mutating func compareParts(_ old: Any, _ new: Any, at path: DifferencePath) -> Outcome {
    if let old = old as? String, let new = new as? String { return compareStrings(old, new, at: path) }
    let (oldMirror, newMirror) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard oldMirror.displayStyle == newMirror.displayStyle else { return replaced(old, new, at: path) }
    if let outcome = compareBytes(old, new, at: path) { return outcome }
    switch oldMirror.displayStyle {
    case .optional: return compareOptionals(old, new, at: path)
    case .collection: return compareCollections(oldMirror, newMirror, at: path)
    case .dictionary: return compareDictionaries(oldMirror, newMirror, at: path)
    case .set: return compareSets(oldMirror, newMirror, at: path)
    case .tuple: return compareMembers(oldMirror, newMirror, at: path) ?? .equal
    case .class: return compareObjects(old as AnyObject, new as AnyObject, oldMirror, newMirror, at: path)
    default: break
    }
    if let (old, new) = PreciseTime.pair(old, new) { return found(.replaced(old: old, new: new), at: path) }
    if let isEqual = Leaf.compare(old, new) { return isEqual ? .equal : replaced(old, new, at: path) }
    // The values are different cases, or their mirrors show different parts.
    return compareMembers(oldMirror, newMirror, at: path) ?? replaced(old, new, at: path)
  }

  /// Compares the contents of two optionals. If one is empty, both are shown with their enclosing optionals, since
  /// `.some(nil)` differs from `nil`.
  private mutating func compareOptionals(_ old: Any, _ new: Any, at path: DifferencePath) -> Outcome {
    var (oldValue, newValue, inner) = (old, new, path)
    while Mirror(reflecting: oldValue).displayStyle == .optional,
      Mirror(reflecting: newValue).displayStyle == .optional
    {
      switch (
        Mirror(reflecting: oldValue).children.first?.value, Mirror(reflecting: newValue).children.first?.value
      ) {
      case (let old?, let new?): (oldValue, newValue, inner) = (old, new, inner.unwrapped)
      case (nil, nil): return .equal
      default: return replaced(old, new, at: path)
      }
    }
    return compare(oldValue, newValue, at: inner)
  }

  /// Compares the parts that two mirrors show; `nil` if they show different ones.
  private mutating func compareMembers(
    _ old: Mirror, _ new: Mirror, at path: DifferencePath
  ) -> Outcome? {
    guard old.children.count == new.children.count,
      zip(old.children, new.children).allSatisfy({ $0.label == $1.label })
    else { return nil }
    var outcome = Outcome.equal
    for (index, (old, new)) in zip(old.children, new.children).enumerated() {
      let label = old.label ?? ".\(index)"
      if label.hasPrefix("_$") { continue }  // what the macro of `Observable` adds
      outcome = outcome.and(compare(old.value, new.value, at: path.member(label)))
    }
    return outcome
  }

  private mutating func compareObjects(
    _ old: AnyObject, _ new: AnyObject, _ oldMirror: Mirror, _ newMirror: Mirror, at path: DifferencePath
  ) -> Outcome {
    let pair = ComparedObjects.Pair(old: ObjectIdentifier(old), new: ObjectIdentifier(new))
    if pair.old == pair.new { return .equal }
    let known = isProbe ? \ComparedObjects.probed : \ComparedObjects.listed
    if let known = objects[keyPath: known][pair] { return known ?? .assumed }
    objects[keyPath: known][pair] = .some(nil)
    openPairs += 1
    var outcome = compareMembers(of: (old, oldMirror), (new, newMirror), at: path)
    openPairs -= 1
    // A cycle has led back only to this pair, and nothing in it differs.
    if openPairs == 0, outcome == .assumed { outcome = .equal }
    // A pair assumed equal because of another pair that is still open is not kept, so that the next probe compares it
    // again.
    objects[keyPath: known][pair] = outcome == .assumed && isProbe ? nil : outcome
    return outcome
  }

  private mutating func compareMembers(
    of old: (object: AnyObject, mirror: Mirror), _ new: (object: AnyObject, mirror: Mirror),
    at path: DifferencePath
  ) -> Outcome {
    var (outcome, parts) = (Outcome.equal, 0)
    var mirrors: (Mirror, Mirror)? = (old.mirror, new.mirror)
    while let (oldMirror, newMirror) = mirrors {
      parts += oldMirror.children.count
      guard let part = compareMembers(oldMirror, newMirror, at: path) else {
        return replaced(old.object, new.object, at: path)
      }
      outcome = outcome.and(part)
      mirrors = oldMirror.superclassMirror.flatMap { old in newMirror.superclassMirror.map { (old, $0) } }
    }
    if parts == 0, Equality.of(old.object, new.object) == nil {
      return found(.otherInstance(new.object), at: path)
    }
    return outcome
  }
}
