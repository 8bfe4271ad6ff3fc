/// The header fields of a request or a response. Names are compared without regard to case.
///
/// ```swift
/// var headers: HTTPHeaders = ["accept": "text/html", "x-session": "1f0a"]
/// headers.append("text/plain", to: "accept")
/// headers.secretNames.insert("x-session")
/// let shown = "\(headers)"  // accept: text/html, accept: text/plain, x-session: ***, a line each
/// ```
///
/// Descriptions, and what `dump` and tests print, show `***` in place of the values of secret fields.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The names that are secret unless told otherwise, in lower case.
  public static let commonSecretNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
    "access_token", "api_key", "client_secret", "password",
  ]

  /// The names, in lower case, of fields whose values no description shows. They also count for the items of an
  /// address's query, and such a field of a request is not sent to another server when one redirects to it. A
  /// response takes them from its request.
  public var secretNames: Set<String> = commonSecretNames

  private var values: [String: [String]] = [:]

  /// No fields.
  public init() {}

  /// The given fields. Of names that differ only in case the last one counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a field; the values of one that repeats are joined by commas. Setting it replaces them all. O(length
  /// of the name and the values).
  public subscript(name: String) -> String? {
    get { values[name.lowercased()]?.joined(separator: ", ") }
    set { values[name.lowercased()] = newValue.map { [$0] } }
  }

  /// Every value of a field that repeats, such as `set-cookie`, in order; empty if there is no such field. O(length of
  /// the name).
  public func values(of name: String) -> [String] { values[name.lowercased()] ?? [] }

  /// Adds a value to a field. Each value is sent in a line of its own. O(length of the name).
  public mutating func append(_ value: String, to name: String) {
    values[name.lowercased(), default: []].append(value)
  }

  /// The names, in lower case and in alphabetical order.
  public var names: [String] { values.keys.sorted() }

  /// Every line, in alphabetical order of the names.
  var lines: [(name: String, value: String)] {
    names.flatMap { name in values(of: name).map { (name, $0) } }
  }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  /// One line `name: value` a value, in alphabetical order, without secrets; control characters are escaped.
  public var description: String {
    lines.map { name, value in
      let shown = secretNames.contains(name) ? Redaction.mark : Redaction.value(value)
      return "\(Redaction.visible(name)): \(shown)"
    }
    .joined(separator: "\n")
  }

  /// The lines of the description.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: description.split(separator: "\n")) }
}
