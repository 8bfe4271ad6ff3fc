/// The header fields of a request or a response. Names are compared without regard to case.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  private var values: [String: String] = [:]

  /// No fields.
  public init() {}

  /// The given fields. Of names that differ only in case the last one counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a field; repeated fields of a response are joined by commas. O(length of the name).
  public subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set { values[name.lowercased()] = newValue }
  }

  /// The names, in lower case and in alphabetical order.
  public var names: [String] { values.keys.sorted() }

  /// One line `name: value` a field, in alphabetical order.
  public var description: String { names.map { "\($0): \(values[$0] ?? "")" }.joined(separator: "\n") }
}
