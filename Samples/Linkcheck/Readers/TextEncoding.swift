import Foundation

/// The encoding of a page's text.
package enum TextEncoding: Equatable, Sendable {
  case utf8
  case utf16(isBigEndian: Bool)
  case windows1252
  /// An encoding known to Foundation.
  case other(UInt)
  /// A named encoding that cannot be read here, except for ASCII.
  case unreadable(String)

  /// The encoding for a name in servers' headers and pages, such as `utf-8` or `ISO-8859-1`. `nil` if it is unknown.
  package init?(label: some StringProtocol) {
    switch label.lowercased().trimmed {
    case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
    case "utf-16", "utf-16le", "unicode", "ucs-2", "iso-10646-ucs-2": self = .utf16(isBigEndian: false)
    case "utf-16be", "unicodefffe": self = .utf16(isBigEndian: true)
    // Browsers read these as Windows-1252, of which they are subsets.
    case "windows-1252", "cp1252", "x-cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1",
      "latin-1", "l1", "us-ascii", "ascii", "ansi_x3.4-1968", "cp819", "ibm819",
      // Differs in eight characters.
      "iso-8859-15", "iso8859-15", "latin9", "latin-9", "l9":
      self = .windows1252
    case "iso-8859-2", "latin2", "l2": self = .other(String.Encoding.isoLatin2.rawValue)
    case "windows-1250", "cp1250": self = .other(String.Encoding.windowsCP1250.rawValue)
    case "windows-1251", "cp1251": self = .other(String.Encoding.windowsCP1251.rawValue)
    case "windows-1253", "cp1253": self = .other(String.Encoding.windowsCP1253.rawValue)
    case "windows-1254", "cp1254", "iso-8859-9": self = .other(String.Encoding.windowsCP1254.rawValue)
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j":
      self = .other(String.Encoding.shiftJIS.rawValue)
    case "euc-jp", "x-euc-jp": self = .other(String.Encoding.japaneseEUC.rawValue)
    case "iso-2022-jp": self = .other(String.Encoding.iso2022JP.rawValue)
    case let name where Self.families.contains(where: name.hasPrefix): self = .unreadable(name)
    default: return nil
    }
    // Foundation supports fewer encodings on some systems.
    if case .other(let encoding) = self,
      String(data: Data("a".utf8), encoding: .init(rawValue: encoding)) == nil
    {
      self = .unreadable(label.lowercased().trimmed)
    }
  }

  /// The prefixes of the names of encodings that browsers support.
  private static let families = [
    "iso-8859-", "iso8859", "iso_8859-", "iso-2022-", "windows-", "cp", "koi", "gb", "x-gbk", "chinese",
    "big5",
    "x-x-big5", "euc-", "ks_c_", "ksc", "korean", "ibm8", "866", "mac", "x-mac-", "x-cp", "tis-620",
    "dos-874", "hz-",
    "latin", "l3", "l4", "l5", "l6", "arabic", "cyrillic", "greek", "hebrew", "logical", "visual", "utf-7",
    "utf-32",
  ]

  /// The name of the encoding, if the bytes cannot be read in it; otherwise `nil`.
  package func nameIfUnreadable(_ bytes: some Sequence<UInt8>) -> String? {
    guard case .unreadable(let name) = self, bytes.contains(where: { $0 >= 0x80 || $0 == 0x1B }) else {
      return nil
    }
    return name
  }

  /// The encoding given by a byte order mark, and the length of the mark; `nil` without one.
  package static func byMark(_ bytes: [UInt8]) -> (TextEncoding, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    return nil
  }

  /// The text in UTF-8. Invalid bytes become U+FFFD.
  package func utf8(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .utf8:
      return Self.isUTF8(bytes) ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
    case .utf16(let isBigEndian):
      let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    case .windows1252, .unreadable:
      return bytes.allSatisfy { $0 < 0x80 } ? bytes : Array(Windows1252.text(bytes).utf8)
    case .other(let encoding):
      guard let text = String(data: Data(bytes), encoding: String.Encoding(rawValue: encoding)) else {
        // A single invalid byte must not hide the page: in all of these encodings, markup is ASCII.
        return Array(Windows1252.text(bytes).utf8)
      }
      return Array(text.utf8)
    }
  }

  /// The number of leading bytes that are complete characters, if more bytes follow.
  package func wholeCount(of bytes: [UInt8]) -> Int {
    switch self {
    case .windows1252, .unreadable: return bytes.count
    case .utf8:
      let lead = bytes.suffix(4).lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
      guard lead < bytes.count else { return bytes.count }
      let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : bytes[lead] >= 0xC0 ? 2 : 1
      return lead + length > bytes.count ? lead : bytes.count
    case .utf16(let isBigEndian):
      let count = bytes.count / 2 * 2
      guard count > 0 else { return 0 }
      let last = isBigEndian ? bytes[count - 2] : bytes[count - 1]
      // The first half of a surrogate pair is left for later.
      return 0xD8...0xDB ~= last ? count - 2 : count
    case .other:
      // In all of these encodings, a line feed is a byte of its own.
      return bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }
  }

  package static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }
}
