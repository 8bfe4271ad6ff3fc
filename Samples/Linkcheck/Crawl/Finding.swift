import LinkcheckReaders

/// The result for an address that has been checked. It does not change again.
enum Finding: Hashable, Sendable, Codable {
  /// A page of HTML or Markdown, or a style sheet, read.
  case page(Page)
  /// Something that is there and has no links to read.
  case exists
  /// A redirect to another address.
  case redirect(to: Address)
  /// A page of more bytes than are read. It is there; its links and anchors are not known.
  case oversized(limit: Int)
  /// A page whose characters are written in a way that cannot be read, by its name. It is there.
  case unreadable(String)
  /// Nothing can be had from there.
  case trouble(Trouble)
}

/// Why a link leads nowhere.
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
  /// For people, such as `404 Not Found`.
  var message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The server knows the address and wants to be asked in another way, as by a form that is posted.
  static let methodNotAllowed = Trouble(.status, HTTPStatus.words(for: 405))
}

extension Finding {
  /// Whether the address cannot be had.
  var isTrouble: Bool { if case .trouble = self { true } else { false } }
}
