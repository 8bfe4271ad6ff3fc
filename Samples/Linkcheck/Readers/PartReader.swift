/// Finds the links and anchors of one kind of page, whose text is UTF-8.
protocol PartScanner {
  /// The links and anchors found so far.
  var document: Document { get }
  /// The number of bytes kept for the next part, since they are incomplete.
  var keptCount: Int { get }
  /// Adds the next part.
  mutating func scan(_ part: [UInt8], isLast: Bool)
}

extension PartScanner {
  /// Adds a whole text. Returns its links and anchors.
  consuming func document(of text: [UInt8]) -> Document {
    scan(text, isLast: true)
    return document
  }
}

/// Reads a page of any size in parts.
package struct PartReader {
  private let encoding: TextEncoding
  private var scanner: any PartScanner
  /// The bytes not read yet.
  private var rest: [UInt8] = []
  /// The number of bytes to collect before reading. Incomplete text is read again only once it has doubled, so that a
  /// page costs time proportional to its size.
  private var enough = 0

  package init(_ markup: Markup, _ encoding: TextEncoding, isArticle: Bool) {
    self.encoding = encoding
    scanner = markup.scanner(isArticle: isArticle)
  }

  /// Adds the next part.
  package mutating func take(_ part: [UInt8], isLast: Bool) {
    rest += part
    guard isLast || rest.count >= enough else { return }
    let count = isLast ? rest.count : encoding.wholeCount(of: rest)
    let text = encoding.utf8(Array(rest[..<count]))
    rest.removeFirst(count)
    defer { enough = rest.count + keptCount }
    scanner.scan(text, isLast: isLast)
  }

  /// The number of bytes kept for the next part, since they are incomplete.
  package var keptCount: Int { rest.count + scanner.keptCount }

  /// The links and anchors found so far.
  package var document: Document { scanner.document }
}
