/// Reads JSON text according to RFC 8259. For all bytes it returns a value or throws, in time and memory in proportion
/// to their number.
///
/// Foundation's readers are unfit here. They lose the order of fields, by which a line is recognized and equal values
/// have equal text. `JSONDecoder` has its own forms for `URL`, `Decimal` and `Data`, but a recording has these as they
/// encode themselves. It takes 1.1 to 1.9 times as long for an action. It also accepts wrong text in values that are
/// not decoded (42 texts of JSONTestSuite that must be refused).
package struct JSONReader {
  /// The problem with a text, and its offset.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let offset: Int
    package let problem: String

    package var description: String { "\(problem) at byte \(offset + 1)" }
  }

  /// The largest number of values nested in each other. More could overflow the stack.
  static let deepest = 200

  private let bytes: [UInt8]
  private let start: Int
  private let end: Int
  private var next: Int
  private var depth = 0

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    (start, next, end) = (range.lowerBound, range.lowerBound, range.upperBound)
  }

  /// Reads the single value in a range of bytes.
  package static func read(_ bytes: [UInt8], in range: Range<Int>) throws(Failure) -> JSON {
    var reader = JSONReader(bytes, range)
    let value = try reader.value()
    reader.skipSpaces()
    if reader.next < reader.end { throw reader.failure("more than one value") }
    return value
  }

  package static func read(_ text: String) throws(Failure) -> JSON {
    let bytes = Array(text.utf8)
    return try read(bytes, in: 0..<bytes.count)
  }

  private func failure(_ problem: String) -> Failure { Failure(offset: next - start, problem: problem) }

  /// The next byte; at the end 0, which never occurs in JSON.
  private var byte: UInt8 { next < end ? bytes[next] : 0 }

  /// Takes the next byte if it is this one.
  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    if byte != UInt8(ascii: scalar) { return false }
    next += 1
    return true
  }

  private mutating func skipSpaces() {
    while byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { next += 1 }
  }

  private mutating func value() throws(Failure) -> JSON {
    skipSpaces()
    guard next < end else { throw failure("the text ends in a value") }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure("no value")
    }
  }

  /// Reads the elements of a list up to its closing bracket.
  private mutating func list(
    until last: Unicode.Scalar, _ readElement: (inout Self) throws(Failure) -> Void
  ) throws(Failure) {
    depth += 1
    if depth > Self.deepest { throw failure("more than \(Self.deepest) values within each other") }
    defer { depth -= 1 }
    next += 1
    skipSpaces()
    if take(last) { return }
    repeat {
      try readElement(&self)
      skipSpaces()
    } while take(",")
    if !take(last) { throw failure(next < end ? "no comma in a list" : "the text ends in a list") }
  }

  private mutating func word(_ text: StaticString, _ value: JSON) throws(Failure) -> JSON {
    for expected in text.description.utf8 {
      guard byte == expected else { throw failure("no value") }
      next += 1
    }
    return value
  }

  private mutating func number() throws(Failure) -> JSON {
    let first = next
    _ = take("-")
    if !take("0") { try digits() }
    let whole = next
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[first..<next], as: UTF8.self)
    if next == whole, text != "-0" { return Int64(text).map(JSON.int) ?? .large(text) }
    guard let double = Double(text), double.isFinite else { throw failure("a number beyond a Double") }
    return .double(double)
  }

  private mutating func digits() throws(Failure) {
    let first = next
    while byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { next += 1 }
    if next == first { throw failure("no digit in a number") }
  }

  private mutating func array() throws(Failure) -> JSON {
    var elements: [JSON] = []
    try list(until: "]") { reader throws(Failure) in elements.append(try reader.value()) }
    return .array(elements)
  }

  private mutating func object() throws(Failure) -> JSON {
    var fields: [JSON.Field] = []
    try list(until: "}") { reader throws(Failure) in
      reader.skipSpaces()
      guard reader.byte == UInt8(ascii: "\"") else { throw reader.failure("no name of a field") }
      let key = try reader.string()
      reader.skipSpaces()
      if !reader.take(":") { throw reader.failure("no colon after a name") }
      fields.append(JSON.Field(key, try reader.value()))
    }
    return .object(fields)
  }

  private mutating func string() throws(Failure) -> String {
    next += 1
    var text = ""
    while true {
      let first = next
      var bits: UInt8 = 0
      while next < end, bytes[next] != UInt8(ascii: "\""), bytes[next] != UInt8(ascii: "\\"),
        bytes[next] >= 0x20
      {
        bits |= bytes[next]
        next += 1
      }
      let plain = String(decoding: bytes[first..<next], as: UTF8.self)
      if bits >= 0x80, !plain.utf8.elementsEqual(bytes[first..<next]) {
        throw failure("bytes that are no UTF-8 in a string")
      }
      if text.isEmpty { text = plain } else { text += plain }
      if take("\"") { return text }
      if next == end { throw failure("the text ends in a string") }
      if !take("\\") { throw failure("a control character in a string") }
      text.unicodeScalars.append(try escape())
    }
  }

  private mutating func escape() throws(Failure) -> Unicode.Scalar {
    defer { next += 1 }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return try escapedUnits()
    default: throw failure(next < end ? "an unknown escape in a string" : "the text ends in a string")
    }
  }

  /// The scalar of one escape, or of two that form a surrogate pair.
  private mutating func escapedUnits() throws(Failure) -> Unicode.Scalar {
    var unit = try unit()
    if unit & 0xFC00 == 0xD800, next + 2 < end, bytes[next + 1] == UInt8(ascii: "\\"),
      bytes[next + 2] == UInt8(ascii: "u")
    {
      next += 2
      let low = try self.unit()
      unit = low & 0xFC00 == 0xDC00 ? 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF) : unit
    }
    guard let scalar = Unicode.Scalar(unit) else { throw failure("half of a pair of code units in a string") }
    return scalar
  }

  /// The code unit of an escape, from its `u` to its last digit.
  private mutating func unit() throws(Failure) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      next += 1
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("no code point in an escape")
      }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}
