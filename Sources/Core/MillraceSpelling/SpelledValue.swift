/// Spells a value with its contents, up to a number of characters, so that a large value is not spelled as a whole.
struct SpelledValue {
  private static let deepest = 100

  private(set) var text = ""
  let elements: Int
  let characters: Int
  let looksIntoObjects: Bool
  /// The objects that are being spelled. An object within itself is only named.
  private(set) var open: [ObjectIdentifier] = []
  private(set) var depth = 0

  /// Whether the text is complete. Counts the characters only if their bytes could suffice.
  private var isFull: Bool { text.utf8.count > characters && text.count > characters }

  mutating func append(_ value: Any) {
    if isFull || depth > Self.deepest {
      if !text.hasSuffix("…") { text += "…" }
      return
    }
    depth += 1
    defer { depth -= 1 }
    switch value {
    case let string as String: return appendString(string)
    case let part as Substring: return appendString(String(part))
    case let character as Character: return appendString(String(character))
    default: break
    }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children
    switch mirror.displayStyle {
    case .optional: appendOptional(value)
    case .collection, .set: appendElements(parts, "[", "]") { $0.append($1) }
    case .dictionary:
      if parts.isEmpty { text += "[:]" } else { appendElements(parts, "[", "]") { $0.appendPair($1) } }
    case .tuple: appendList(parts)
    case _ where value is any CustomStringConvertible || value is any CustomDebugStringConvertible:
      text += String(reflecting: value)
    // A mirror of the program's own may have no style. Functions have neither a style nor parts.
    case .struct,
      nil where mirror.displayStyle != nil || !parts.isEmpty:
      text += "\(type(of: value))".prefix { $0 != "<" }
      appendList(parts)
    case .enum: appendCase(value, parts)
    case .class where looksIntoObjects: appendObject(value as AnyObject, mirror)
    default: text += String(reflecting: value)
    }
  }

  private mutating func appendString(_ string: String) {
    // A cut string with its quotes fills the text, which marks the text as cut.
    text += Spelling.quoted(characters == .max ? string : String(string.prefix(characters)))
  }

  /// Appends the contents of an optional. Only around a `nil` are the enclosing optionals spelled.
  private mutating func appendOptional(_ value: Any) {
    var (inner, around) = (value, 0)
    while let wrapped = Mirror(reflecting: inner).children.first?.value {
      guard Mirror(reflecting: wrapped).displayStyle == .optional else { return append(wrapped) }
      (inner, around) = (wrapped, around + 1)
    }
    text += String(repeating: ".some(", count: around) + "nil" + String(repeating: ")", count: around)
  }

  private mutating func appendCase(_ value: Any, _ parts: Mirror.Children) {
    guard let held = parts.first, let label = held.label else {
      text += ".\(value)"
      return
    }
    text += ".\(label)"
    if Mirror(reflecting: held.value).displayStyle == .tuple { return append(held.value) }
    text += "("
    append(held.value)
    text += ")"
  }

  private mutating func appendPair(_ pair: Any) {
    for (index, part) in Mirror(reflecting: pair).children.enumerated() {
      if index > 0 { text += ": " }
      append(part.value)
    }
  }

  private mutating func appendObject(_ object: AnyObject, _ mirror: Mirror) {
    text += "\(type(of: object))".prefix { $0 != "<" }
    let identity = ObjectIdentifier(object)
    guard !open.contains(identity) else { return }
    open.append(identity)
    defer { open.removeLast() }
    var parts: [Mirror.Child] = []
    var next: Mirror? = mirror
    while let mirror = next {
      parts = Array(mirror.children) + parts
      next = mirror.superclassMirror
    }
    appendList(Mirror.Children(parts))
  }

  private mutating func appendElements(
    _ parts: Mirror.Children, _ opening: String, _ closing: String, _ spell: (inout Self, Any) -> Void
  ) {
    text += opening
    var spelled = 0
    for part in parts.prefix(elements) {
      if spelled > 0 { text += ", " }
      if isFull { break }
      spell(&self, part.value)
      spelled += 1
    }
    let rest = parts.count - spelled
    if isFull {
      if !text.hasSuffix("…") { text += "…" }
    } else if rest > 0 {
      text += "\(spelled > 0 ? ", " : "")and \(rest) more"
    }
    text += closing
  }

  private mutating func appendList(_ parts: Mirror.Children) {
    text += "("
    for (index, part) in parts.enumerated() {
      if index > 0 { text += ", " }
      if let label = part.label, !label.hasPrefix(".") { text += "\(label): " }
      append(part.value)
      if isFull { break }
    }
    text += ")"
  }
}
