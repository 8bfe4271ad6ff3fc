/// The last lines that a program wrote to standard error, for a possible failure.
struct LastLines {
  /// The number of lines that are kept.
  static let most = 10
  /// The number of bytes that are kept of each line.
  static let longest = 1_000

  private var lines: [[UInt8]] = []

  /// Adds a line that the program wrote.
  mutating func wrote(_ bytes: [UInt8]) {
    if lines.count == Self.most { lines.removeFirst() }
    lines.append(Array(bytes.prefix(Self.longest)))
  }

  /// The lines decoded as UTF-8, oldest first.
  var texts: [String] { lines.map { String(decoding: $0, as: UTF8.self) } }
}
