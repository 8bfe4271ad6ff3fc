/// The lines of a string by number. Keeps only their offsets.
struct Lines {
  private let text: String
  /// The offset of each line in UTF-8.
  private let starts: [Int]

  /// - Complexity: O(n)
  init(of text: String) {
    var text = text
    var starts = [0]
    text.withUTF8 { bytes in
      for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { starts.append(index + 1) }
    }
    (self.text, self.starts) = (text, starts)
  }

  var count: Int { starts.count }

  /// A line without its line feed. A carriage return before the line feed is part of the line.
  subscript(line: Int) -> String { String(decoding: bytes(of: line), as: UTF8.self) }

  func isEqual(_ line: Int, to other: Lines, _ otherLine: Int) -> Bool {
    bytes(of: line).elementsEqual(other.bytes(of: otherLine))
  }

  private func bytes(of line: Int) -> Substring.UTF8View {
    let end = line + 1 < count ? starts[line + 1] - 1 : text.utf8.count
    let start = text.utf8.index(text.startIndex, offsetBy: starts[line])
    return text[start..<text.utf8.index(text.startIndex, offsetBy: end)].utf8
  }
}
