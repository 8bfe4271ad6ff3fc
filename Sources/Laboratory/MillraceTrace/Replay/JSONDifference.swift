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
      let (oldFields, newFields) = (fields(old), fields(new))
      for field in old {
        let path = path.isEmpty ? field.key : "\(path).\(field.key)"
        guard let other = newFields[field.key] else {
          tell("\(path): \(short(field.value)) removed")
          continue
        }
        compare(field.value, other, path, tell)
      }
      for field in new where oldFields[field.key] == nil {
        tell("\(path.isEmpty ? "" : path + ".")\(field.key): \(short(field.value)) added")
      }
    case (.array(let old), .array(let new)): compare(old, new, path, tell)
    default: tell("\(path.isEmpty ? "value" : path): \(short(old)) → \(short(new))")
    }
  }

  private static func fields(_ fields: [JSON.Field]) -> [String: JSON] {
    Dictionary(fields.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Compares arrays by their elements instead of indices, if the elements have ids or form a sorted set.
  private static func compare(_ old: [JSON], _ new: [JSON], _ path: String, _ tell: (String) -> Void) {
    if let oldIDs = ids(old), let newIDs = ids(new) {
      let (oldElements, newElements) = (
        Dictionary(zip(oldIDs, old)) { first, _ in first }, Dictionary(zip(newIDs, new)) { first, _ in first }
      )
      for (id, element) in zip(oldIDs, old) {
        guard let other = newElements[id] else {
          tell("\(path)[\(id)]: \(short(element)) removed")
          continue
        }
        compare(element, other, "\(path)[\(id)]", tell)
      }
      for (id, element) in zip(newIDs, new) where oldElements[id] == nil {
        tell("\(path)[\(id)]: \(short(element)) added")
      }
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
    for (index, element) in removed.enumerated() {
      tell("\(path)[\(start + index)]: \(short(element)) removed")
    }
    for (index, element) in added.enumerated() { tell("\(path)[\(start + index)]: \(short(element)) added") }
  }

  private static func ids(_ elements: [JSON]) -> [String]? {
    if elements.isEmpty { return [] }
    var ids: [String] = []
    for element in elements {
      guard let id = element["id"] else { return nil }
      ids.append(id.text)
    }
    return Set(ids).count == ids.count ? ids : nil
  }

  private static func short(_ json: JSON) -> String {
    let text = json.text
    return text.count > 80 ? text.prefix(77) + "…" : text
  }
}

extension Payload {
  /// The differences between two payloads, as lines.
  package func differences(to new: Payload, atMost limit: Int = 20) -> [String] {
    if case .json(let old) = self, case .json(let new) = new {
      return JSONDifference.lines(old, new, atMost: limit)
    }
    return self == new ? [] : ["- \(text)", "+ \(new.text)"]
  }
}
