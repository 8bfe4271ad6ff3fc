import Testing

@testable import MillraceTrace

@Suite("JSON: what is written is read")
struct JSONTests {
  @Test(
    "values survive as text",
    arguments: [
      JSON.null, .bool(true), .int(0), .int(-1), .int(.min), .int(.max), .uint(.max), .double(0.1),
      .double(-0.0),
      .double(1e300), .double(.leastNonzeroMagnitude), .string(""), .string("a\"\\\n\t\u{1}é\u{1F600}\u{7F}"),
      .array([]), .array([.int(1), .array([.null])]), .object([]),
      .object([JSON.Field("a", .object([JSON.Field("", .double(2))])), JSON.Field("b", .string("{}"))]),
    ])
  func roundTrip(_ json: JSON) throws {
    #expect(try JSONReader.read(json.text) == json)
  }

  @Test("spaces and escapes of others are read")
  func foreign() throws {
    let text = " {\"a\" : [ 1 , -2.5e3,\"\\u0041\\uD83D\\uDE00\\/\" ] } "
    let list: [JSON] = [.int(1), .double(-2500), .string("A\u{1F600}/")]
    #expect(try JSONReader.read(text) == .object([JSON.Field("a", .array(list))]))
  }

  @Test(
    "what is no JSON is refused",
    arguments: [
      "", " ", "{", "}", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "nul", "tru", "01x", "-", "1e", "\"",
      "\"\\q\"",
      "\"\\u12\"", "1 2", "\"a\u{1}\"", String(repeating: "[", count: 100_000), "1e999",
    ])
  func refused(_ text: String) {
    #expect(throws: JSONReader.Failure.self) { try JSONReader.read(text) }
  }
}

@Suite("Values as JSON and back")
struct ValueCodingTests {
  struct Inner: Codable, Hashable {
    var name: String
    var numbers: [Double]
    var optional: Int?
  }

  enum Kind: Codable, Hashable {
    case plain
    case pair(Int, String)
    case labelled(inner: Inner)
    indirect case nested(Kind)
  }

  enum Key: String, Codable { case a, b }

  struct Outer: Codable, Hashable {
    var kinds: [Kind]
    var byName: [String: Inner]
    var byNumber: [Int: Bool]
    var byKind: [Kind: Int]
    var byKey: [Key: Int]
    var set: Set<String>
    var small: Int8
    var large: UInt64
    var float: Float
    var flags: [Bool?]
    var unnumber: Double
  }

  static func outer(_ numbers: Range<Int>) -> Outer {
    Outer(
      kinds: [
        .plain, .pair(1, "x"), .labelled(inner: Inner(name: "é", numbers: [], optional: nil)),
        .nested(.plain),
      ],
      byName: Dictionary(
        uniqueKeysWithValues: numbers.map { ("n\($0)", Inner(name: "\($0)", numbers: [0.5], optional: $0)) }),
      byNumber: Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0 % 2 == 0) }),
      byKind: Dictionary(uniqueKeysWithValues: numbers.map { (.pair($0, ""), $0) }), byKey: [.b: 2, .a: 1],
      set: Set(numbers.map { "s\($0)" }), small: -8, large: .max, float: 0.1, flags: [true, nil, false],
      unnumber: .infinity)
  }

  @Test("a value of many shapes survives", arguments: [0..<0, 0..<1, 0..<20])
  func roundTrip(_ numbers: Range<Int>) throws {
    let value = Self.outer(numbers)
    let json = try JSONReader.read(try ValueEncoder.encode(value).text)
    #expect(try ValueDecoder.decode(Outer.self, from: json) == value)
  }

  @Test("equal values have equal text, in whatever order their sets and dictionaries are")
  func canonical() throws {
    var other = Self.outer(0..<50)
    other.set = []
    other.byNumber = [:]
    for number in (0..<50).reversed() {
      other.set.insert("s\(number)")
      other.byNumber[number] = number % 2 == 0
    }
    #expect(try ValueEncoder.encode(other).text == ValueEncoder.encode(Self.outer(0..<50)).text)
  }

  @Test("values at the top that are no objects")
  func scalars() throws {
    #expect(try ValueDecoder.decode(Int.self, from: ValueEncoder.encode(3)) == 3)
    #expect(try ValueDecoder.decode([String].self, from: ValueEncoder.encode(["a"])) == ["a"])
    #expect(try ValueDecoder.decode(Int?.self, from: ValueEncoder.encode(Int?.none)) == nil)
    #expect(try ValueDecoder.decode(Double.self, from: ValueEncoder.encode(2.0)) == 2)
    #expect(throws: DecodingError.self) { try ValueDecoder.decode(Int8.self, from: .int(1000)) }
    #expect(throws: DecodingError.self) { try ValueDecoder.decode(Kind.self, from: .object([])) }
  }

  @Test("a class with a superclass survives")
  func superclass() throws {
    let json = try ValueEncoder.encode(Derived(base: 1, own: 2))
    let read = try ValueDecoder.decode(Derived.self, from: json)
    #expect((read.base, read.own) == (1, 2))
  }

  class Base: Codable {
    let base: Int
    init(base: Int) { self.base = base }
  }
  final class Derived: Base {
    let own: Int
    enum Keys: CodingKey { case own }
    init(base: Int, own: Int) {
      self.own = own
      super.init(base: base)
    }
    required init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Keys.self)
      own = try fields.decode(Int.self, forKey: .own)
      try super.init(from: fields.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Keys.self)
      try fields.encode(own, forKey: .own)
      try super.encode(to: fields.superEncoder())
    }
  }
}
