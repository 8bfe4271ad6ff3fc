/// Finds the links and anchors of one kind of page, whose text is UTF-8.
protocol PartScanner {
  /// The links and anchors found so far.
  var document: Document { get }
  /// How many bytes are kept, since what they begin is not complete.
  var keptCount: Int { get }
  /// Takes the next part.
  mutating func scan(_ part: [UInt8], isLast: Bool)
}

extension PartScanner {
  /// Takes all of a text. Returns what is in it.
  consuming func document(of text: [UInt8]) -> Document {
    scan(text, isLast: true)
    return document
  }
}

/// Reads a page of any size, of which one part comes after the other.
package struct PartReader {
  private let encoding: TextEncoding
  private var scanner: any PartScanner
  /// The bytes that were not read yet.
  private var rest: [UInt8] = []
  /// How many of them are read at once: what is not complete is read again only when it has doubled, so that all of a
  /// page costs time in proportion to it.
  private var enough = 0

  package init(_ markup: Markup, _ encoding: TextEncoding, isArticle: Bool) {
    self.encoding = encoding
    scanner = markup.scanner(isArticle: isArticle)
  }

  /// Takes the next part.
  package mutating func take(_ part: [UInt8], isLast: Bool) {
    rest += part
    guard isLast || rest.count >= enough else { return }
    let count = isLast ? rest.count : encoding.wholeCount(of: rest)
    let text = encoding.utf8(Array(rest[..<count]))
    rest.removeFirst(count)
    defer { enough = rest.count + keptCount }
    scanner.scan(text, isLast: isLast)
  }

  /// How many bytes are kept, since what they begin is not complete.
  package var keptCount: Int { rest.count + scanner.keptCount }

  /// The links and anchors found so far.
  package var document: Document { scanner.document }
}
