/// A text shown for a value in a line of a difference, such as the first of many bytes.
struct ShownText: Equatable, CustomStringConvertible {
  let description: String

  /// Some bytes: `4 bytes 01 02 03 04`.
  static func bytes(_ bytes: some Collection<UInt8>) -> ShownText {
    let most = 16
    let digits = bytes.prefix(most).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return ShownText(
      description: "\(bytes.count) bytes \(digits.joined(separator: " "))\(bytes.count > most ? " …" : "")")
  }
}
