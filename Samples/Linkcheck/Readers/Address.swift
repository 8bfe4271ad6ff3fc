import MillraceHTTP

/// The address of a page or a file: an absolute `http`, `https` or `file` URL without a fragment, in a normal form.
///
/// The normal form is ASCII, so that addresses are equal if their bytes are.
package struct Address: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let text: String

  /// The address in a text; `nil` if that is not an absolute URL of a kind that can be checked.
  package init?(_ text: String) { self.init(URLReference(link: text)) }

  /// The address of a file or folder, by its absolute path. A folder's path ends with a slash.
  package init(file path: String) { self.init(file: Array(path.utf8)) }

  /// The address of a file or folder, by the bytes of its absolute path, which need not be valid text.
  package init(file path: [UInt8]) {
    text = "file://" + PercentEncoding.encodedPath(path)
  }

  package init?(_ reference: URLReference) {
    var reference = reference
    switch reference.scheme {
    case "http", "https":
      guard
        let authority = reference.authority.flatMap({ Authority.normalized($0, scheme: reference.scheme) })
      else { return nil }
      reference.authority = authority
      if reference.path.isEmpty { reference.path = "/" }
    case "file":
      reference.authority = ""
      reference.query = nil
      guard reference.path.utf8.first == UInt8(ascii: "/") else { return nil }
      // In a file's path, an escape always means the byte.
      if reference.path.utf8.contains(UInt8(ascii: "%")) {
        reference.path = PercentEncoding.encodedPath(PercentEncoding.decoded(reference.path))[...]
      }
    default:
      return nil
    }
    reference.fragment = nil
    reference.path = PercentEncoding.normalized(reference.path)
    reference.query = reference.query.map { PercentEncoding.normalized($0) }
    text = reference.description
  }

  /// The target of `link` on the page at this address.
  package func resolving(_ link: String) -> LinkTarget { LinkBase(self).target(of: link) }

  package var isFile: Bool { text.utf8.starts(with: "file:".utf8) }

  /// Scheme, host and port, such as `http://example.org:8080`.
  package var origin: Substring {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let start = bytes.index(colon, offsetBy: 3, limitedBy: bytes.endIndex)
    else { return text[...] }
    return text[..<(bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex)]
  }

  /// The path in the URL, with its escapes.
  package var path: Substring { URLReference(text).path }

  /// The bytes of the path in the file system, for an address of a file.
  package var filePath: [UInt8] { PercentEncoding.decoded(path) }

  /// The extension of the name in lower case, without the dot; empty if there is none.
  package var fileExtension: String {
    let name =
      path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? ""[...].utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
    return String(Substring(name[dot...].dropFirst())).lowercased()
  }

  package var description: String { text }

  package static func < (left: Address, right: Address) -> Bool { left.text < right.text }
}

extension Address: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let address = Address(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no address")
    }
    self = address
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
