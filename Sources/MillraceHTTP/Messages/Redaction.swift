/// What takes the place of secrets in everything that is made for people to read.
enum Redaction {
  /// Stands where a secret was.
  static let mark = "***"

  /// An address without its credentials and without the values of query items that have one of `names`.
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
    let bytes = Array(text.utf8)
    let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    guard !names.isEmpty, let question = bytes[..<fragment].firstIndex(of: UInt8(ascii: "?")) else {
      return text
    }
    let items = bytes[(question + 1)..<fragment].split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let shown = items.map { item -> [UInt8] in
      guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return Array(item) }
      let name = String(decoding: item[..<equals], as: UTF8.self).lowercased()
      return names.contains(name) ? item[...equals] + Array(mark.utf8) : Array(item)
    }
    return String(
      decoding: bytes[...question] + shown.joined(separator: "&".utf8) + bytes[fragment...], as: UTF8.self)
  }
}
