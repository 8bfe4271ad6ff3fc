import Millrace
import MillraceSpelling

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
  /// The default of `secretNames`, in lower case.
  public static let commonSecretNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
    "access_token", "api_key", "client_secret", "password",
  ]

  /// The names, in lower case, of fields whose values no description shows. They also apply to the items of an
  /// address's query. After a redirect, such a field of a request is not sent to another server. A response has the
  /// secret names of its request.
  public var secretNames: Set<String> = commonSecretNames

  private var values: [String: [ByteEqual]] = [:]

  /// Makes headers without fields.
  public init() {}

  /// Makes headers with the given fields. If two names differ only in case, the last one counts.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a field; the values of a repeated field are joined by commas. Setting it replaces all of them.
  /// O(length of the name and the values)
  public subscript(name: String) -> String? {
    get { values[name.lowercased()]?.map(\.text).joined(separator: ", ") }
    set { values[name.lowercased()] = newValue.map { [ByteEqual($0)] } }
  }

  /// Returns every value of a repeated field, such as `set-cookie`, in order; empty if there is no such field.
  /// O(length of the name)
  public func values(of name: String) -> [String] {
    values[name.lowercased()]?.map(\.text) ?? []
  }

  /// The items between the commas of a field's values, in lower case and without the blanks around them.
  func items(of name: String) -> [String] {
    values(of: name).flatMap { value in
      value.lowercased().utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
        String(Substring($0).trimmingBlanks)
      }
    }
  }

  /// Adds a value to a field. Each value is sent in a line of its own. O(length of the name)
  public mutating func append(_ value: String, to name: String) {
    values[name.lowercased(), default: []].append(ByteEqual(value))
  }

  /// The names, in lower case and in alphabetical order.
  public var names: [String] { values.keys.sorted() }

  /// Every line, in alphabetical order of the names.
  var lines: [(name: String, value: String)] {
    names.flatMap { name in values(of: name).map { (name, $0) } }
  }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  /// One line `name: value` for each value, in alphabetical order, without secrets; control characters are escaped.
  public var description: String {
    lines.map { name, value in
      let shown = secretNames.contains(name) ? Redaction.mark : Redaction.value(value)
      return "\(Spelling.visible(name)): \(shown)"
    }
    .joined(separator: "\n")
  }

  /// A mirror that shows the lines of the description.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: description.split(separator: "\n")) }
}
