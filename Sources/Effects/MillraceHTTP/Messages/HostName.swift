import Foundation

/// Brings a host's name or IPv4 address into its one spelling.
enum HostName {
  /// Returns the host in lower case, a name beyond ASCII as IDNA requires, and an address as four decimal numbers.
  ///
  /// `nil` for a name that no server can have. A name whose last label is a number is an address, as in the URL
  /// standard.
  static func plain(_ spelling: String) -> String? {
    guard let name = inASCII(spelling) else { return nil }
    var labels = name.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 1, labels.last == "" { labels.removeLast() }
    guard let last = labels.last, name.utf8.count <= 254,
      labels.allSatisfy({ (1...63).contains($0.utf8.count) })
    else { return nil }
    let isNumber =
      last.hasPrefix("0x") ? last.dropFirst(2).allSatisfy(\.isHexDigit) : last.allSatisfy(\.isNumber)
    guard isNumber else { return name }
    var address = in_addr()
    guard inet_aton(labels.joined(separator: "."), &address) != 0 else { return nil }
    let number = UInt32(bigEndian: address.s_addr)
    return stride(from: 24, through: 0, by: -8).map { "\(number >> $0 & 255)" }.joined(separator: ".")
  }

  /// Returns the host in ASCII. No character beyond ASCII may become one that ends or escapes a part of an address.
  private static func inASCII(_ spelling: String) -> String? {
    var name = spelling.lowercased()
    if !name.utf8.allSatisfy({ $0 < 0x80 }) {
      let mapped = name.precomposedStringWithCompatibilityMapping.lowercased()
      guard mapped.utf8.allSatisfy({ $0 >= 0x80 || isAllowed($0) }) else { return nil }
      name = URL(string: "http://\(name)/")?.host?.lowercased() ?? ""
    }
    return name.utf8.allSatisfy(isAllowed) ? name : nil
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    URLReference.isLetter(byte) || (48...57).contains(byte) || "-._~".utf8.contains(byte)
  }
}
