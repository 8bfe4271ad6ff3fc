/// Cuts a stream of bytes into lines of bounded length. Pure.
struct LineSplitter {
  struct Line: Equatable {
    var bytes: [UInt8]
    /// Whether the rest of the line comes next.
    var isContinued = false
  }

  private let longest: Int
  private var rest: [UInt8] = []

  /// A line has at most `longest` bytes; what is longer comes in pieces.
  init(longest: Int) { self.longest = max(1, longest) }

  /// Takes in bytes and returns the lines, and pieces of lines, that are now complete. O(n) in the number of bytes.
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

  /// The stream has ended. The last line, if it had no line end.
  mutating func ended() -> Line? {
    rest.isEmpty ? nil : Line(bytes: take())
  }

  private mutating func take() -> [UInt8] {
    defer { rest = [] }
    return rest
  }
}
