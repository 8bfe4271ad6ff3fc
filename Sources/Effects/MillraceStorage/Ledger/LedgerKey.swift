/// The name of a piece of work, by which a ledger and the outside world identify it.
///
/// Two keys are equal if their bytes in UTF-8 are, as outside this program: an *é* of one scalar and one of two
/// scalars are different keys, though they are equal as `String`.
///
/// ```swift
/// let key: LedgerKey = "p-1"
/// print(key.text)  // p-1
/// ```
public struct LedgerKey: Codable, Hashable, Comparable, Sendable {
  /// The name.
  public let text: String

  /// Makes a key.
  public init(_ text: String) { self.text = text }

  /// Returns whether both keys have the same bytes in UTF-8.
  public static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  /// Returns whether the bytes of `left` come before those of `right`.
  public static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xff as UInt8)  // no byte of a text
  }
}

extension LedgerKey: ExpressibleByStringLiteral {
  /// Makes a key from a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

extension LedgerKey: CustomStringConvertible {
  /// The name.
  public var description: String { text }
}
