import LinkcheckReaders

/// The links of a page, packed, since a site has millions of them, and each is read once or twice.
///
/// A link is packed as the difference of its line to the previous line, its target and use in one number, and the
/// length and bytes of its text. Numbers have seven bits a byte, least significant first.
struct PageLinks: Hashable, Sendable, Sequence {
  private(set) var bytes: [UInt8] = []
  private var lastLine = 1

  init() {}

  /// Unpacks links; `nil` if the bytes are not packed links.
  ///
  /// - Parameter targetCount: the number of targets to which they may refer.
  init?(bytes: [UInt8], targetCount: Int) {
    self.bytes = bytes
    var iterator = makeIterator()
    while let link = iterator.next() {
      if case .address(let place) = link.target, place >= targetCount { return nil }
      lastLine = link.line
    }
    guard iterator.isAtEnd else { return nil }
  }

  /// Appends a link, whose line is not before that of the previous link.
  mutating func append(_ link: Page.Link) {
    append(Swift.max(0, link.line - lastLine))
    lastLine = Swift.max(lastLine, link.line)
    append(Self.number(of: link.target) << 1 | Int(link.use.rawValue))
    append(link.text.utf8.count)
    bytes += link.text.utf8
  }

  private mutating func append(_ number: Int) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func number(of target: Page.Link.Target) -> Int {
    switch target {
    case .unknownArticle: 0
    case .symbol: 1
    case .invalid: 2
    case .address(let place): 3 + place
    }
  }

  func makeIterator() -> Iterator { Iterator(bytes: bytes) }

  /// Unpacks the links one after the other, up to the first invalid one.
  struct Iterator: IteratorProtocol {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    fileprivate var isAtEnd: Bool { index == bytes.count }

    mutating func next() -> Page.Link? {
      let start = index
      guard let step = number(), let target = number(), let use = Link.Use(rawValue: UInt8(target & 1)),
        let length = number(), length <= bytes.count - index
      else {
        index = start
        return nil
      }
      line += step
      let text = String(decoding: bytes[index..<index + length], as: UTF8.self)
      index += length
      return Page.Link(text: text, line: line, use: use, target: Self.target(target >> 1))
    }

    private static func target(_ number: Int) -> Page.Link.Target {
      switch number {
      case 0: .unknownArticle
      case 1: .symbol
      case 2: .invalid
      default: .address(number - 3)
      }
    }

    private mutating func number() -> Int? {
      var value = 0
      for shift in stride(from: 0, to: 35, by: 7) {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        index += 1
        value |= Int(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      return nil
    }
  }
}
