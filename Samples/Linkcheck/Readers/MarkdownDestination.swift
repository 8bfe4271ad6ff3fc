/// Reads the destination of a Markdown link.
enum MarkdownDestination {
  /// Reads `page.md`, `a_(b).md` or `<a page.md>` at `start`. Returns it without escapes, and the index after
  /// it; `nil` if none begins there.
  static func read(_ bytes: [UInt8], from start: Int) -> (text: String, end: Int)? {
    guard start < bytes.count else { return ("", start) }
    return bytes[start] == UInt8(ascii: "<")
      ? readBracketed(bytes, from: start) : readBare(bytes, from: start)
  }

  private static func readBracketed(_ bytes: [UInt8], from start: Int) -> (text: String, end: Int)? {
    var index = start + 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ">"): return (unescaped(bytes[start + 1..<index]), index + 1)
      case UInt8(ascii: "\n"), UInt8(ascii: "<"): return nil
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  private static func readBare(_ bytes: [UInt8], from start: Int) -> (text: String, end: Int)? {
    var index = start
    var depth = 0
    scan: while index < bytes.count {
      switch bytes[index] {
      case 0...0x20: break scan
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        if depth == 0 { break scan }
        depth -= 1
      case UInt8(ascii: "\\") where index + 1 < bytes.count && isPunctuation(bytes[index + 1]): index += 1
      default: break
      }
      index += 1
    }
    return depth == 0 ? (unescaped(bytes[start..<index]), index) : nil
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    var output: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        if !isPunctuation(byte) { output.append(UInt8(ascii: "\\")) }
        output.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        output.append(byte)
      }
    }
    if isEscaped { output.append(UInt8(ascii: "\\")) }
    return CharacterReferences.decoded(String(decoding: output, as: UTF8.self), in: .markdown)
  }

  /// Reads a definition such as `[name]: page.md "title"`.
  static func definition(_ content: ArraySlice<UInt8>, line: Int) -> Link? {
    guard content.first == UInt8(ascii: "["), let end = labelEnd(content) else { return nil }
    let label = content[(content.startIndex + 1)..<end]
    let rest = content[end...].dropFirst()
    guard rest.first == UInt8(ascii: ":"), !label.allSatisfy(ASCII.isSpace), label.first != UInt8(ascii: "^")
    else { return nil }
    let text = Array(rest.dropFirst().drop(while: ASCII.isSpace))
    guard let (destination, end) = read(text, from: 0), !destination.isEmpty else { return nil }
    // After the destination only a title may follow.
    guard let title = text[end...].first(where: { !ASCII.isSpace($0) }) else {
      return Link(text: destination, line: line)
    }
    return "\"'(".utf8.contains(title) ? Link(text: destination, line: line) : nil
  }

  /// The index of the bracket that closes the label at the beginning, in which no bracket stands unescaped.
  private static func labelEnd(_ content: ArraySlice<UInt8>) -> Int? {
    var index = content.startIndex + 1
    while index < content.endIndex {
      switch content[index] {
      case UInt8(ascii: "]"): return index
      case UInt8(ascii: "["): return nil
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  static func isPunctuation(_ byte: UInt8) -> Bool {
    (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
      || (0x7B...0x7E).contains(byte)
  }
}
