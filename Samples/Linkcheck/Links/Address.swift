/// Where a page or a file is: an absolute `http`, `https` or `file` URL without a fragment, in one spelling.
struct Address: Hashable, Sendable, Comparable, CustomStringConvertible {
  let text: String

  /// The address that `text` names, if it is an absolute URL of a kind that can be looked at.
  init?(_ text: String) {
    self.init(Reference(text.filter { !$0.isNewline && $0 != "\t" }.trimmed))
  }

  /// The address of a file or folder, by its absolute path. A folder's path ends with a slash.
  init(file path: String) {
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3F")
    text = "file://" + PercentEncoding.normalized(Reference.removingDotSegments(escaped))
  }

  private init?(_ reference: Reference) {
    var reference = reference
    switch reference.scheme {
    case "http", "https":
      guard let authority = Self.normalizedAuthority(reference.authority, scheme: reference.scheme) else {
        return nil
      }
      reference.authority = authority
      if reference.path.isEmpty { reference.path = "/" }
    case "file":
      reference.authority = ""
      reference.query = nil
      guard reference.path.hasPrefix("/") else { return nil }
    default:
      return nil
    }
    reference.fragment = nil
    reference.path = PercentEncoding.normalized(reference.path)
    reference.query = reference.query.map { PercentEncoding.normalized($0) }
    text = reference.text
  }

  /// What `link` means on the page at this address.
  func resolving(_ link: String) -> Target {
    // Browsers drop newlines and tabs inside a link, and white space around it.
    var reference = Reference(link.filter { !$0.isNewline && $0 != "\t" }.trimmed)
    let fragment = reference.fragment
    reference.fragment = nil
    let resolved = reference.resolved(against: Reference(text))
    if let address = Address(resolved) { return .address(address, fragment: fragment) }
    return ["http", "https", "file"].contains(resolved.scheme) ? .invalid : .otherScheme
  }

  /// What a link means.
  enum Target: Hashable {
    /// A place that can be looked at, and the part of it that is meant.
    case address(Address, fragment: String?)
    /// A kind of link that this program has nothing to do with, such as `mailto:`.
    case otherScheme
    /// No URL at all, such as `http://`.
    case invalid
  }

  var isFile: Bool { text.hasPrefix("file:") }

  /// Scheme, host and port, such as `http://example.org:8080`.
  var origin: String {
    let reference = Reference(text)
    return "\(reference.scheme ?? "")://\(reference.authority ?? "")"
  }

  /// The path as it stands in the URL, escapes included.
  var path: String { Reference(text).path }

  /// The path in the file system, for an address of a file.
  var filePath: String { PercentEncoding.decoded(path) }

  /// The name's ending in lower case without the dot; empty if there is none.
  var fileExtension: String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  var description: String { text }

  static func < (left: Address, right: Address) -> Bool { left.text < right.text }

  private static func normalizedAuthority(_ authority: String?, scheme: String?) -> String? {
    guard var authority = authority?.lowercased(), !authority.isEmpty else { return nil }
    let port = scheme == "https" ? ":443" : ":80"
    if authority.hasSuffix(port) { authority.removeLast(port.count) }
    if authority.hasSuffix(":") { authority.removeLast() }
    guard !authority.isEmpty, !authority.contains(where: { $0.isWhitespace || "<>\"{}|\\^`".contains($0) })
    else {
      return nil
    }
    return authority
  }
}

extension Address: Codable, CodingKeyRepresentable {
  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var codingKey: any CodingKey { Key(stringValue: text) }

  init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let address = Address(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no address")
    }
    self = address
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension String {
  /// Without white space at both ends.
  var trimmed: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
