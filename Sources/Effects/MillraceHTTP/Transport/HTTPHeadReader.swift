/// Reads the lines of an answer's head, of the interim answers before it, and of the trailer after its body.
struct HTTPHeadReader {
  enum Next: Equatable {
    case goOn
    /// The head of an interim answer is whole. Another head follows.
    case interim(HTTPHead)
    /// The head is complete. The body follows.
    case head(HTTPHead)
    case fail(HTTPFailure)
  }

  private enum Phase {
    case statusLine, fields, body
  }

  /// The largest head that is read, with interim answers and the trailer, in bytes. An upload's interim answers are not
  /// counted as long as each says that more of it has arrived.
  static let largest = 256 << 10

  /// Whether a switch to another protocol was requested.
  private let acceptsSwitch: Bool
  private var phase = Phase.statusLine
  private var head = HTTPHead(status: 0)
  private var field: (name: String, value: String)?
  private var size = 0
  private var uploadOffset = -1

  init(acceptsSwitch: Bool = false) { self.acceptsSwitch = acceptsSwitch }

  /// Whether the final head is complete. libcurl reports no error for a head that was cut off.
  var isWhole: Bool { phase == .body }

  /// A line has arrived, with its end.
  mutating func lineArrived(_ bytes: some Collection<UInt8>) -> Next {
    size += bytes.count
    guard size <= Self.largest else {
      return .fail(.notHTTP("its head is larger than \(Self.largest) bytes"))
    }
    let line = Self.text(bytes).trimmingLineEnd
    if phase != .body, line.utf8.contains(where: { $0 == 13 || $0 == 0 }) {
      return .fail(.notHTTP("a line of its head holds a carriage return or a zero"))
    }
    switch phase {
    case .body: return .goOn  // the trailer
    case .statusLine:
      guard let status = Self.status(line) else { return .fail(.notHTTP("it begins with no status line")) }
      head = HTTPHead(status: status)
      phase = .fields
      return .goOn
    case .fields where line.isEmpty: return fieldsEnded()
    case .fields: return fieldArrived(line)
    }
  }

  private mutating func fieldArrived(_ line: Substring) -> Next {
    if let first = line.utf8.first, first == 32 || first == 9 {
      guard field != nil else { return .fail(.notHTTP("its head goes on with a field that has not begun")) }
      field?.value += " " + line.trimmingBlanks
      return .goOn
    }
    keepField()
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
      return .fail(.notHTTP("a line of its head is no field"))
    }
    let value = line[line.utf8.index(after: colon)...]
    field = (String(line[..<colon].trimmingBlanks), String(value.trimmingBlanks))
    return .goOn
  }

  private mutating func fieldsEnded() -> Next {
    keepField()
    switch head.status {
    case 101 where !acceptsSwitch:
      return .fail(.notHTTP("it switches to another protocol, which nobody asked for"))
    case 100..<200 where head.status != 101:
      phase = .statusLine
      if let offset = head.headers.count("upload-offset"), offset > uploadOffset {
        (size, uploadOffset) = (0, offset)
      }
      return .interim(head)
    default:
      phase = .body
      return .head(head)
    }
  }

  private mutating func keepField() {
    // Lines of a folded field may be empty.
    guard let field = field.take() else { return }
    head.headers.append(String(field.value[...].trimmingBlanks), to: field.name)
  }

  private static func status(_ line: Substring) -> Int? {
    guard line.utf8.starts(with: "HTTP/".utf8), let space = line.utf8.firstIndex(of: 32) else { return nil }
    let rest = line.utf8[space...].drop { $0 == 32 }
    let digits = rest.prefix { (48...57).contains($0) }
    let next = rest.dropFirst(digits.count).first
    guard digits.count == 3, next == nil || next == 32 else { return nil }
    return Int(String(Substring(digits))).flatMap { $0 >= 100 ? $0 : nil }
  }

  /// Decodes a field as UTF-8 if it is valid, and as Latin-1 otherwise, so that no byte is lost.
  private static func text(_ bytes: some Collection<UInt8>) -> Substring {
    if let text = String(validating: bytes, as: UTF8.self) { return text[...] }
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text[...]
  }
}

extension Substring {
  // These compare bytes, since a combining mark forms one character with the blank or the line feed before it.

  fileprivate var trimmingLineEnd: Substring {
    var bytes = utf8
    if bytes.last == 10 { bytes = bytes.dropLast() }
    if bytes.last == 13 { bytes = bytes.dropLast() }
    return Substring(bytes)
  }

  var trimmingBlanks: Substring {
    var bytes = utf8
    while let first = bytes.first, first == 32 || first == 9 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 32 || last == 9 { bytes = bytes.dropLast() }
    return Substring(bytes)
  }
}
