/// Compares two values part by part, and collects what differs.
struct DifferenceComparison {
  /// What is known of two values after their comparison.
  enum Outcome {
    case equal
    /// Alike but for NaNs in the same places, on account of which `==` says otherwise.
    case equalButForNaN
    case different
  }

  /// Two objects whose comparison has begun: a cycle leads back to them, and a shared object is compared once.
  private struct ObjectPair: Hashable {
    let old, new: ObjectIdentifier
  }

  var findings: DifferenceFindings
  /// Whether only the outcome counts. A probe does not look for the shortest edit script, which takes probes itself.
  let isProbe: Bool
  private var begun: Set<ObjectPair> = []

  init(findings: DifferenceFindings) {
    self.findings = findings
    isProbe = false
  }

  private init() {
    findings = DifferenceFindings(wording: .change, limit: 0)
    isProbe = true
  }

  /// Compares two elements for an edit script.
  static func probe(_ old: Any, _ new: Any) -> Outcome {
    if let isEqual = Equality.of(old, new) {
      return isEqual ? .equal : Equality.areNaN(old, new) ? .equalButForNaN : .different
    }
    var comparison = DifferenceComparison()
    return comparison.compare(old, new, at: DifferencePath())
  }

  @discardableResult
  mutating func compare(_ old: Any, _ new: Any, at path: DifferencePath) -> Outcome {
    guard type(of: old) == type(of: new) else { return replaced(old, new, at: path) }
    let isEqual = Equality.of(old, new)
    if isEqual == true { return .equal }
    if Equality.areNaN(old, new) { return .equalButForNaN }
    let outcome = compareParts(old, new, at: path)
    guard outcome == .equal, isEqual == false else { return outcome }
    return found(.hidden(new), at: path)
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
    switch oldMirror.displayStyle {
    case .optional: return compareOptionals(old, new, oldMirror, newMirror, at: path)
    case .collection: return compareCollections(oldMirror, newMirror, at: path)
    case .dictionary: return compareDictionaries(oldMirror, newMirror, at: path)
    case .set: return compareSets(oldMirror, newMirror, at: path)
    case .tuple: return compareMembers(oldMirror, newMirror, at: path) ?? .equal
    case .class: return compareObjects(old as AnyObject, new as AnyObject, oldMirror, newMirror, at: path)
    default: break
    }
    if let old = Leaf.bytes(of: old), let new = Leaf.bytes(of: new) {
      return compareElements(old, new, at: path)
    }
    if let isEqual = Leaf.compare(old, new) { return isEqual ? .equal : replaced(old, new, at: path) }
    // Another case, or a mirror that shows other parts.
    return compareMembers(oldMirror, newMirror, at: path) ?? replaced(old, new, at: path)
  }

  private mutating func compareOptionals(
    _ old: Any, _ new: Any, _ oldMirror: Mirror, _ newMirror: Mirror, at path: DifferencePath
  ) -> Outcome {
    switch (oldMirror.children.first?.value, newMirror.children.first?.value) {
    case (let old?, let new?): compare(old, new, at: path.unwrapped)
    case (nil, nil): .equal
    default: replaced(old, new, at: path)
    }
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
    let pair = ObjectPair(old: ObjectIdentifier(old), new: ObjectIdentifier(new))
    guard pair.old != pair.new, begun.insert(pair).inserted else { return .equal }
    var (outcome, parts) = (Outcome.equal, 0)
    var mirrors: (Mirror, Mirror)? = (oldMirror, newMirror)
    while let (old, new) = mirrors {
      parts += old.children.count
      guard let part = compareMembers(old, new, at: path) else { return replaced(old, new, at: path) }
      outcome = outcome.and(part)
      mirrors = old.superclassMirror.flatMap { old in new.superclassMirror.map { (old, $0) } }
    }
    if parts == 0, Equality.of(old, new) == nil { return found(.otherInstance(new), at: path) }
    return outcome
  }
}

extension DifferenceComparison.Outcome {
  func and(_ other: Self) -> Self {
    switch (self, other) {
    case (.different, _), (_, .different): .different
    case (.equalButForNaN, _), (_, .equalButForNaN): .equalButForNaN
    default: .equal
    }
  }
}
