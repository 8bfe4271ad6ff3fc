import Millrace
import MillraceSpelling

/// The largest number of values spelled within each other.
private let deepest = 60
/// The number of spelled elements of a collection, and of spelled characters of a string. The text is for people, and
/// the body of a response may have megabytes.
private let (longest, characters) = (100, 2_000)

extension Redactor {
  /// Spells a value that is not `Encodable`, as ``Spelling`` does, with two differences: the text is redacted, and the
  /// elements of sets and keys of dictionaries are sorted, so that equal values have equal text.
  func text(of value: Any) -> String { redact(spelled(value, depth: 0)) }

  private func spelled(_ given: Any, depth: Int) -> String {
    if depth > deepest { return "…" }
    var value = given
    if looksIntoValues {
      if let text = text(inPlaceOf: value) { return text }
      value = changed(value)
    }
    if let bytes = redacted(bytesOf: value) { value = bytes }
    let mirror = Mirror(reflecting: value)
    func spelled(_ part: Any) -> String { self.spelled(part, depth: depth + 1) }
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { spelled($0.value) } ?? "nil"
    case .collection:
      return Self.list(
        mirror.children.prefix(longest).map { spelled($0.value) }, of: mirror.children.count)
    case .set: return Self.list(mirror.children.map { spelled($0.value) }.sorted(), of: mirror.children.count)
    case .dictionary:
      if mirror.children.isEmpty { return "[:]" }
      let pairs = mirror.children.map { pair in
        Mirror(reflecting: pair.value).children.map { spelled($0.value) }.joined(separator: ": ")
      }
      return Self.list(pairs.sorted(), of: mirror.children.count)
    case .tuple: return list(mirror.children, spelled)
    // The program's own description could contain what a rule removes.
    case .struct
    where !mirror.children.isEmpty
      && (looksIntoValues
        || !(value is any CustomStringConvertible || value is any CustomDebugStringConvertible)):
      return "\(type(of: value))".prefix { $0 != "<" } + list(mirror.children, spelled)
    case .enum where looksIntoValues || !(value is any CustomStringConvertible):
      guard let held = mirror.children.first, let label = held.label else { return ".\(value)" }
      let isTuple = Mirror(reflecting: held.value).displayStyle == .tuple
      return ".\(label)" + (isTuple ? spelled(held.value) : "(\(spelled(held.value)))")
    default: return Spelling.text(of: value, characters: characters)
    }
  }

  private static func list(_ elements: [String], of count: Int) -> String {
    let more = count > longest ? ", and \(count - longest) more" : ""
    return "[\(elements.prefix(longest).joined(separator: ", "))\(more)]"
  }

  private func list(_ parts: Mirror.Children, _ spelled: (Any) -> String) -> String {
    let parts = parts.map { part in
      let label = part.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
      return label + spelled(part.value)
    }
    return "(\(parts.joined(separator: ", ")))"
  }
}
