import Foundation

/// What takes the place of secrets in everything that is made for people to read.
enum Redaction {
  /// Stands where a secret was.
  static let mark = "***"

  /// An address without its credentials and without the values of items of its query and its fragment
  /// that have one of `names`, escaped or not.
  static func address(_ text: String, hiding names: Set<String> = HTTPHeaders.commonSecretNames) -> String {
    items(in: credentials(in: text), names)
  }

  /// Whatever an answer says in a header field, such as an address with credentials.
  static func value(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "@")), bytes.contains(UInt8(ascii: ":")) else { return visible(text) }
    return visible(credentials(in: text))
  }

  /// Text whose control characters are escaped, so that it stays on one line and changes nothing of a terminal.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .lineSeparator
      || scalar.properties.generalCategory == .paragraphSeparator || scalar.properties.isBidiControl
  }

  /// Of what is no address, everything before the last `@` counts as credentials, as far as it is no scheme.
  private static func credentials(in text: String) -> String {
    let bytes = Array(text.utf8)
    var start = bytes.startIndex
    for index in bytes.indices.dropLast() where bytes[index...].starts(with: "//".utf8) {
      start = index + 2
      break
    }
    var end = bytes.endIndex
    if (try? HTTPAddress(text)) != nil { end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? end }
    guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return text }
    return String(decoding: bytes[..<start] + mark.utf8 + bytes[at...], as: UTF8.self)
  }

  private static func items(in text: String, _ names: Set<String>) -> String {
    guard !names.isEmpty, text.utf8.contains(UInt8(ascii: "=")) else { return text }
    let bytes = Array(text.utf8)
    let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    let query = bytes[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
    let shown =
      Array(bytes[..<query]) + items(in: bytes[query..<fragment], names)
      + items(in: bytes[fragment...], names)
    return String(decoding: shown, as: UTF8.self)
  }

  /// A query or a fragment, with its first character. A value ends at the next `&`; a name begins after any of `?#/;`.
  private static func items(in part: ArraySlice<UInt8>, _ names: Set<String>) -> [UInt8] {
    let items = part.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let shown = items.map { item -> [UInt8] in
      for equals in item.indices where item[equals] == UInt8(ascii: "=") {
        let name = item[..<equals]
        let start = name.lastIndex { "?#/;".utf8.contains($0) }.map { $0 + 1 } ?? name.startIndex
        if names.contains(decoded(name[start...]).lowercased()) { return item[...equals] + Array(mark.utf8) }
      }
      return Array(item)
    }
    return Array(shown.joined(separator: "&".utf8))
  }

  private static func decoded(_ name: ArraySlice<UInt8>) -> String {
    let text = String(decoding: name, as: UTF8.self)
    return text.removingPercentEncoding ?? text
  }
}
