import Foundation
import Millrace
import MillraceSpelling

/// Replaces secrets in texts for people.
enum Redaction {
  /// The text in place of a secret.
  static let mark = "***"

  /// Returns an address without its credentials, and without the values of items of its query and its fragment whose
  /// names are in `names`, escaped or not.
  static func address(_ text: String, hiding names: Set<String> = HTTPHeaders.commonSecretNames) -> String {
    items(in: credentials(in: text), names)
  }

  /// Returns the text of a header field of an answer without credentials, which it may contain in an address.
  static func value(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "@")), bytes.contains(UInt8(ascii: ":")) else {
      return Spelling.visible(text)
    }
    return Spelling.visible(credentials(in: text))
  }

  /// In a text that is no address, everything before the last `@` and after a scheme counts as credentials.
  private static func credentials(in text: String) -> String {
    let start = text.utf8.firstRange(of: "//".utf8)?.upperBound ?? text.startIndex
    let isAddress = (try? HTTPAddress(text)) != nil
    let part = isAddress ? URLReference(text).authority ?? "" : text[start...]
    guard let at = part.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
    return text[..<part.startIndex] + mark + text[at...]
  }

  private static func items(in text: String, _ names: Set<String>) -> String {
    guard !names.isEmpty, text.utf8.contains(UInt8(ascii: "=")) else { return text }
    let reference = URLReference(text)
    var (shown, end) = ("", text.startIndex)
    for part in [reference.query, reference.fragment].compactMap(\.self) {
      shown += text[end..<part.startIndex] + items(in: Array(part.utf8)[...], names)
      end = part.endIndex
    }
    return shown + text[end...]
  }

  /// Hides the items of a query or a fragment. A value ends at the next `&`; a name begins after any of `?#/;=`.
  private static func items(in part: ArraySlice<UInt8>, _ names: Set<String>) -> String {
    let items = part.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let shown = items.map { item -> [UInt8] in
      for equals in item.indices where item[equals] == UInt8(ascii: "=") {
        let name = item[..<equals]
        let start = name.lastIndex { "?#/;=".utf8.contains($0) }.map { $0 + 1 } ?? name.startIndex
        if names.contains(decoded(name[start...]).lowercased()) { return item[...equals] + Array(mark.utf8) }
      }
      return Array(item)
    }
    return String(decoding: Array(shown.joined(separator: "&".utf8)), as: UTF8.self)
  }

  private static func decoded(_ name: ArraySlice<UInt8>) -> String {
    let text = String(decoding: name, as: UTF8.self)
    return text.removingPercentEncoding ?? text
  }
}
