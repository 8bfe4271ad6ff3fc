import LinkcheckReaders

/// The result for an address that has been checked. It does not change again.
enum Finding: Hashable, Sendable, Codable {
  /// A page of HTML or Markdown, or a style sheet, that was read.
  case page(Page)
  /// An existing file without links to read.
  case exists
  /// A redirect to another address.
  case redirect(to: Address)
  /// A page that is too large to be read. It exists; its links and anchors are not known.
  case oversized(limit: Int)
  /// A page in an encoding that cannot be read, by the name of the encoding. It exists.
  case unreadable(String)
  /// The address cannot be reached.
  case trouble(Trouble)
}

/// The reason why a link is broken.
struct Trouble: Hashable, Sendable, Codable {
  enum Kind: String, Sendable, Codable {
    case status
    case redirect
    case anchor
    case network
    case timeout
    case cut
    case missing
    case unreadable
    case invalid
    case unread
  }

  var kind: Kind
  /// The message for people, such as `404 Not Found`.
  var message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The server knows the address, but expects another method, such as that of a form.
  static let methodNotAllowed = Trouble(.status, HTTPStatus.words(for: 405))
}

extension Finding {
  /// Whether the address cannot be reached.
  var isTrouble: Bool { if case .trouble = self { true } else { false } }
}
