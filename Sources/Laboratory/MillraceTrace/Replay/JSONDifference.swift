/// The differences between two JSON values, by path. Pure.
package enum JSONDifference {
  /// The differences as lines, `wanted.tea: 2 → 3`, up to a limit.
  package static func lines(_ old: JSON, _ new: JSON, atMost limit: Int = 20) -> [String] {
    var found: [String] = []
    var left = 0
    compare(old, new, "") { line in
      if found.count < limit { found.append(line) } else { left += 1 }
    }
    return found + (left > 0 ? ["and \(left) more"] : [])
  }

  private static func compare(_ old: JSON, _ new: JSON, _ path: String, _ tell: (String) -> Void) {
    if old == new { return }
    switch (old, new) {
    case (.object(let old), .object(let new)):
      let prefix = path.isEmpty ? "" : "\(path)."
      compare(old.map { ($0.key, $0.value) }, new.map { ($0.key, $0.value) }, { "\(prefix)\($0)" }, tell)
    case (.array(let old), .array(let new)): compare(old, new, path, tell)
    default: tell("\(path.isEmpty ? "value" : path): \(short(old)) → \(short(new))")
    }
  }

  /// Compares values that are found by name.
  private static func compare(
    _ old: [(String, JSON)], _ new: [(String, JSON)], _ path: (String) -> String, _ tell: (String) -> Void
  ) {
    let oldValues = Dictionary(old) { first, _ in first }
    let newValues = Dictionary(new) { first, _ in first }
    for (name, value) in old {
      if let other = newValues[name] {
        compare(value, other, path(name), tell)
      } else {
        tell("\(path(name)): \(short(value)) removed")
      }
    }
    for (name, value) in new where oldValues[name] == nil { tell("\(path(name)): \(short(value)) added") }
  }

  /// Compares arrays by the ids of their elements; without ids, leaves out the common beginning and end.
  private static func compare(_ old: [JSON], _ new: [JSON], _ path: String, _ tell: (String) -> Void) {
    if let oldIDs = ids(old), let newIDs = ids(new) {
      compare(Array(zip(oldIDs, old)), Array(zip(newIDs, new)), { "\(path)[\($0)]" }, tell)
      let common = Set(oldIDs).intersection(newIDs)
      if oldIDs.filter(common.contains) != newIDs.filter(common.contains) { tell("\(path): another order") }
      return
    }
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let (removed, added) = (old[start..<old.count - end], new[start..<new.count - end])
    if removed.count == added.count {
      for (index, pair) in zip(removed, added).enumerated() {
        compare(pair.0, pair.1, "\(path)[\(start + index)]", tell)
      }
      return
    }
    for (list, word) in [(removed, "removed"), (added, "added")] {
      for (index, element) in zip(list.indices, list) {
        tell("\(path)[\(index)]: \(short(element)) \(word)")
      }
    }
  }

  private static func ids(_ elements: [JSON]) -> [String]? {
    let ids = elements.compactMap { $0["id"]?.text }
    return Set(ids).count == elements.count ? ids : nil
  }

  private static func short(_ json: JSON) -> String { Payload.json(json).shortText(80) }
}
