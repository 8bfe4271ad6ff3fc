/// The name of a piece of work, by which a ledger and the world outside know it.
///
/// Two keys are equal if their bytes are, as the world outside will have it: an *é* of one character and one of two
/// are two keys, though they are one `String`.
///
/// ```swift
/// let key: LedgerKey = "p-1"
/// print(key.text)  // p-1
/// ```
public struct LedgerKey: Hashable, Comparable, Sendable {
  /// The name.
  public let text: String

  /// Makes the key of a name.
  public init(_ text: String) { self.text = text }

  /// Whether both have the same bytes in UTF-8.
  public static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  /// Whether the bytes of one come before those of the other.
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
  /// Makes the key of a name that is written in the source.
  public init(stringLiteral text: String) { self.init(text) }
}

extension LedgerKey: CustomStringConvertible {
  /// The name.
  public var description: String { text }
}
