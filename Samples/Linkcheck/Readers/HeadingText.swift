/// The text of a heading of Markdown as a reader sees it.
struct HeadingText {
  private let scalars: [Unicode.Scalar]
  private var output = ""

  /// Without images, the destinations of links, tags, marks of emphasis that are underscores, and escapes. What is
  /// in a code span stays as it is.
  static func plain(_ heading: some StringProtocol) -> String { plain(Array(heading.unicodeScalars)) }

  private static func plain(_ scalars: [Unicode.Scalar]) -> String {
    var text = HeadingText(scalars: scalars)
    text.read()
    return text.output
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private mutating func read() {
    var index = 0
    /// The places of runs of underscores that close an emphasis.
    var closings: Set<Int> = []
    while index < scalars.count {
      switch scalars[index] {
      case "\\":
        let isEscape = index + 1 < scalars.count && Self.isPunctuation(scalars[index + 1])
        if isEscape { index += 1 }
        output.unicodeScalars.append(scalars[index])
        index += 1
      case "`":
        index = readCode(at: index)
      case "!" where index + 1 < scalars.count && scalars[index + 1] == "[":
        // The brackets of an image that is none are no part of an anchor either.
        index = bracketed(at: index + 1).flatMap { destinationEnd(after: $0.end) } ?? index + 1
      case "[":
        index = readBracket(at: index)
      case "<":
        index = readAngle(at: index)
      case "&":
        index = readReference(at: index)
      case "_":
        index = readUnderscores(at: index, &closings)
      default:
        output.unicodeScalars.append(scalars[index])
        index += 1
      }
    }
  }

  private mutating func append(_ range: Range<Int>) {
    output.unicodeScalars.append(contentsOf: scalars[range])
  }

  private mutating func readCode(at start: Int) -> Int {
    let end = codeEnd(at: start)
    let length = runLength(of: "`", at: start)
    if end == start + length { append(start..<end) } else { append((start + length)..<(end - length)) }
    return end
  }

  private mutating func readBracket(at start: Int) -> Int {
    guard let (text, end) = bracketed(at: start) else { return start + 1 }
    output += Self.plain(Array(scalars[text]))
    return destinationEnd(after: end) ?? end
  }

  /// A tag is left out; of a URL in angle brackets, the URL is seen.
  private mutating func readAngle(at start: Int) -> Int {
    guard let end = scalars[start...].firstIndex(of: ">"), start + 1 < end,
      scalars[start + 1] == "/" || scalars[start + 1].properties.isAlphabetic
    else {
      output += "<"
      return start + 1
    }
    let inside = (start + 1)..<end
    if scalars[inside].contains(":"), !scalars[inside].contains(" ") { append(inside) }
    return end + 1
  }

  private mutating func readReference(at start: Int) -> Int {
    let end = scalars[start...].prefix(40).firstIndex(of: ";")
    let range = start..<(end.map { $0 + 1 } ?? start + 1)
    output += CharacterReferences.decoded(
      String(String.UnicodeScalarView(scalars[range])), in: .markdown)
    return range.upperBound
  }

  /// A pair of runs that begin and end an emphasis is left out.
  private mutating func readUnderscores(at start: Int, _ closings: inout Set<Int>) -> Int {
    let end = start + runLength(of: "_", at: start)
    if closings.contains(start) { return end }
    if canOpen(start..<end), let closing = closing(of: end - start, from: end) {
      closings.insert(closing)
    } else {
      append(start..<end)
    }
    return end
  }

  private func closing(of length: Int, from start: Int) -> Int? {
    var index = start
    while index < scalars.count {
      if scalars[index] == "`" {
        index = codeEnd(at: index)
      } else if scalars[index] == "_" {
        let end = index + runLength(of: "_", at: index)
        if end - index == length, canClose(index..<end) { return index }
        index = end
      } else {
        index += 1
      }
    }
    return nil
  }

  private func canOpen(_ run: Range<Int>) -> Bool {
    run.upperBound < scalars.count && !scalars[run.upperBound].properties.isWhitespace
      && (run.lowerBound == 0 || !Self.isWord(scalars[run.lowerBound - 1]))
  }

  private func canClose(_ run: Range<Int>) -> Bool {
    run.lowerBound > 0 && !scalars[run.lowerBound - 1].properties.isWhitespace
      && (run.upperBound == scalars.count || !Self.isWord(scalars[run.upperBound]))
  }

  /// The text between the bracket at `start` and the one that closes it, brackets in code left aside.
  private func bracketed(at start: Int) -> (text: Range<Int>, end: Int)? {
    var depth = 0
    var index = start
    while index < scalars.count {
      switch scalars[index] {
      case "\\": index += 1
      case "`": index = codeEnd(at: index) - 1
      case "[": depth += 1
      case "]":
        depth -= 1
        if depth == 0 { return ((start + 1)..<index, index + 1) }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The end of `(page.md)` or `[name]` at `start`.
  private func destinationEnd(after start: Int) -> Int? {
    guard start < scalars.count else { return nil }
    if scalars[start] == "[" { return bracketed(at: start)?.end }
    guard scalars[start] == "(" else { return nil }
    var depth = 0
    for index in start..<scalars.count {
      if scalars[index] == "(" { depth += 1 }
      if scalars[index] == ")" { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return nil
  }

  /// The end of the code span that begins at `start`, or of the run of back-ticks if none does.
  private func codeEnd(at start: Int) -> Int {
    let length = runLength(of: "`", at: start)
    var index = start + length
    while index < scalars.count {
      let found = runLength(of: "`", at: index)
      if found == length { return index + found }
      index += max(1, found)
    }
    return start + length
  }

  private func runLength(of scalar: Unicode.Scalar, at start: Int) -> Int {
    scalars[start...].prefix { $0 == scalar }.count
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && MarkdownDestination.isPunctuation(UInt8(scalar.value))
  }
}
