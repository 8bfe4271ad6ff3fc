/// Splits a stream of bytes into lines of bounded length. Pure.
struct LineSplitter {
  struct Line: Equatable {
    var bytes: [UInt8]
    /// Whether the rest of the line follows.
    var isContinued = false
  }

  private let longest: Int
  private var rest: [UInt8] = []

  /// Makes a splitter. Lines longer than `longest` bytes are split.
  init(longest: Int) { self.longest = max(1, longest) }

  /// Returns the lines, and pieces of long lines, that these bytes complete. O(n) in the number of bytes.
  mutating func bytesArrived(_ bytes: some Collection<UInt8>) -> [Line] {
    var lines: [Line] = []
    var bytes = bytes[...]
    while let byte = bytes.first {
      if byte == UInt8(ascii: "\n") {
        lines.append(Line(bytes: take()))
        bytes = bytes.dropFirst()
      } else if rest.count == longest {
        lines.append(Line(bytes: take(), isContinued: true))
      } else {
        let part = bytes.prefix(longest - rest.count).prefix { $0 != UInt8(ascii: "\n") }
        rest.append(contentsOf: part)
        bytes = bytes[part.endIndex...]
      }
    }
    return lines
  }

  /// The stream has ended. Returns the last line if it has no line break.
  mutating func ended() -> Line? {
    rest.isEmpty ? nil : Line(bytes: take())
  }

  private mutating func take() -> [UInt8] { exchange(&rest, with: []) }
}
