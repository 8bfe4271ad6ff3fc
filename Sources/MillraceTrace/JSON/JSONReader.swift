/// Reads JSON text. Whatever the bytes are, it returns a value or throws.
package struct JSONReader {
  /// What is wrong with a text, and where.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let offset: Int
    package let problem: String

    package var description: String { "\(problem) at byte \(offset + 1)" }
  }

  /// Values within each other: text that asks for more has no place on the stack.
  private static let deepest = 200

  private let bytes: [UInt8]
  private let start: Int
  private let end: Int
  private var next: Int
  private var depth = 0

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    (start, next, end) = (range.lowerBound, range.lowerBound, range.upperBound)
  }

  /// Reads the one value in a range of bytes.
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

  private mutating func skipSpaces() {
    while next < end, bytes[next] == 0x20 || bytes[next] == 0x09 || bytes[next] == 0x0A || bytes[next] == 0x0D
    {
      next += 1
    }
  }

  private mutating func value() throws(Failure) -> JSON {
    skipSpaces()
    guard next < end else { throw failure("the text ends in a value") }
    switch bytes[next] {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try nested { reader throws(Failure) in try reader.object() }
    case UInt8(ascii: "["): return try nested { reader throws(Failure) in try reader.array() }
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure("no value")
    }
  }

  private mutating func nested(_ read: (inout Self) throws(Failure) -> JSON) throws(Failure) -> JSON {
    depth += 1
    if depth > Self.deepest { throw failure("more than \(Self.deepest) values within each other") }
    defer { depth -= 1 }
    next += 1
    return try read(&self)
  }

  private mutating func word(_ text: StaticString, _ value: JSON) throws(Failure) -> JSON {
    for byte in text.description.utf8 {
      guard next < end, bytes[next] == byte else { throw failure("no value") }
      next += 1
    }
    return value
  }

  private mutating func number() throws(Failure) -> JSON {
    let first = next
    let isNegative = bytes[next] == UInt8(ascii: "-")
    if isNegative { next += 1 }
    var magnitude: UInt64 = 0
    var isExact = true
    let digits = next
    while next < end, bytes[next] >= UInt8(ascii: "0"), bytes[next] <= UInt8(ascii: "9") {
      let (product, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.addingReportingOverflow(UInt64(bytes[next] - UInt8(ascii: "0")))
      if tooLarge || overflows { isExact = false }
      magnitude = sum
      next += 1
    }
    if next == digits { throw failure("no number") }
    let isWhole = next == end || !".eE".utf8.contains(bytes[next])
    if isWhole, isExact {
      if isNegative, magnitude > 0, magnitude <= Int64.max.magnitude + 1 {
        return .int(Int64(truncatingIfNeeded: 0 &- magnitude))
      }
      if !isNegative { return .number(magnitude) }
    }
    while next < end, "0123456789.eE+-".utf8.contains(bytes[next]) { next += 1 }
    guard let double = Double(String(decoding: bytes[first..<next], as: UTF8.self)), double.isFinite else {
      throw failure("no number")
    }
    return .double(double)
  }

  private mutating func array() throws(Failure) -> JSON {
    var elements: [JSON] = []
    skipSpaces()
    if next < end, bytes[next] == UInt8(ascii: "]") {
      next += 1
      return .array([])
    }
    while true {
      elements.append(try value())
      if try !goesOn(until: UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  private mutating func object() throws(Failure) -> JSON {
    var fields: [JSON.Field] = []
    skipSpaces()
    if next < end, bytes[next] == UInt8(ascii: "}") {
      next += 1
      return .object([])
    }
    while true {
      skipSpaces()
      guard next < end, bytes[next] == UInt8(ascii: "\"") else { throw failure("no name of a field") }
      let key = try string()
      skipSpaces()
      guard next < end, bytes[next] == UInt8(ascii: ":") else { throw failure("no colon after a name") }
      next += 1
      fields.append(JSON.Field(key, try value()))
      if try !goesOn(until: UInt8(ascii: "}")) { return .object(fields) }
    }
  }

  /// Whether there is a comma, and not the end.
  private mutating func goesOn(until last: UInt8) throws(Failure) -> Bool {
    skipSpaces()
    guard next < end else { throw failure("the text ends in a list") }
    defer { next += 1 }
    if bytes[next] == UInt8(ascii: ",") { return true }
    if bytes[next] == last { return false }
    throw failure("no comma in a list")
  }

  private mutating func string() throws(Failure) -> String {
    next += 1
    let first = next
    while next < end, bytes[next] != UInt8(ascii: "\""), bytes[next] != UInt8(ascii: "\\"),
      bytes[next] >= 0x20
    { next += 1 }
    guard next < end else { throw failure("the text ends in a string") }
    if bytes[next] == UInt8(ascii: "\"") {
      defer { next += 1 }
      return String(decoding: bytes[first..<next], as: UTF8.self)
    }
    var text = Array(bytes[first..<next])
    while next < end {
      let byte = bytes[next]
      if byte == UInt8(ascii: "\"") {
        next += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte < 0x20 { throw failure("a control character in a string") }
      next += 1
      if byte == UInt8(ascii: "\\") { try escape(&text) } else { text.append(byte) }
    }
    throw failure("the text ends in a string")
  }

  private mutating func escape(_ text: inout [UInt8]) throws(Failure) {
    guard next < end else { throw failure("the text ends in a string") }
    let byte = bytes[next]
    next += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "u"):
      var scalar = try unit()
      if scalar & 0xFC00 == 0xD800, next + 1 < end, bytes[next] == UInt8(ascii: "\\"),
        bytes[next + 1] == UInt8(ascii: "u")
      {
        next += 2
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (try unit() & 0x3FF)
      }
      text.append(contentsOf: String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8)
    default: throw failure("an unknown escape in a string")
    }
  }

  private mutating func unit() throws(Failure) -> UInt32 {
    guard next + 4 <= end,
      let unit = UInt32(String(decoding: bytes[next..<next + 4], as: UTF8.self), radix: 16)
    else { throw failure("no code point in an escape") }
    next += 4
    return unit
  }
}
