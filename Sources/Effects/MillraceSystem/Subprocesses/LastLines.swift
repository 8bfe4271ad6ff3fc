/// The last lines that a program wrote to standard error, for the failure that its end may be.
struct LastLines {
  /// The number of lines that are kept.
  static let most = 10
  /// The number of bytes that are kept of each line.
  static let longest = 1_000

  private var lines: [[UInt8]] = []

  /// The program wrote a line.
  mutating func wrote(_ bytes: [UInt8]) {
    if lines.count == Self.most { lines.removeFirst() }
    lines.append(Array(bytes.prefix(Self.longest)))
  }

  /// The lines decoded as UTF-8, the last one at the end.
  var texts: [String] { lines.map { String(decoding: $0, as: UTF8.self) } }
}
