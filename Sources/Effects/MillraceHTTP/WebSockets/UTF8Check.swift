/// Checks that bytes in parts of any size are UTF-8, and finds the first invalid byte.
///
/// `String(validating:)` needs the whole text. This check rejects a large message at its first invalid byte.
struct UTF8Check: Equatable {
  /// The number of further bytes that the scalar needs.
  private var missing = 0
  /// The range of the next byte, if it continues a scalar.
  private var next: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether no scalar is incomplete.
  var isAtEnd: Bool { missing == 0 }

  /// Checks the next bytes. Returns whether they can be UTF-8. Must not be called again after `false`.
  mutating func isValid(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { isValid($0) } }

  private mutating func isValid(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard next.contains(byte) else { return false }
      missing -= 1
      next = 0x80...0xBF
      return true
    }
    // Table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
    switch byte {
    case ...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, next) = (2, 0xA0...0xBF)
    case 0xED: (missing, next) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, next) = (3, 0x90...0xBF)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, next) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
