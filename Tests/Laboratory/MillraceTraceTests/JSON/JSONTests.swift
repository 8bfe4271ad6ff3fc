import Foundation
import TestSupport
import Testing

@testable import MillraceTrace

@Suite("JSON: what is written is read")
struct JSONTests {
  @Test(
    "values survive as text",
    arguments: [
      JSON.null, .bool(true), .int(0), .int(-1), .int(.min), .int(.max), .number(UInt64.max),
      .number(Int128.min), .number(UInt128.max), .double(0.1),
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

  @Test("escapes are the characters that they name, and a half of a pair is none")
  func escapes() throws {
    let text = #""\u0041\uD83D\uDE00\u00e9e\u0301\"\\\/\b\f\n\r\t\u0000""#
    #expect(
      try JSONReader.read(text).string.map { Array($0.unicodeScalars) }
        == Array("A\u{1F600}\u{E9}e\u{301}\"\\/\u{8}\u{C}\n\r\t\0".unicodeScalars))
    for half in [
      #"\uD83D"#, #"\uDE00"#, #"\uD83D\u0041"#, #"\uD83D\n"#, #"\uD83Dx"#, #"\uD83D\uD83D"#, #"\uD83D\uDE0"#,
      #"\uDE00\uD83D"#,
    ] {
      for text in ["\"\(half)\"", "\"\(half)", "[\"a\", \"x\(half)\"]"] {
        #expect(throws: JSONReader.Failure.self, "\(text)") { try JSONReader.read(text) }
      }
    }
  }

  @Test("whole numbers of any length keep their digits")
  func large() throws {
    for digits in ["9223372036854775808", "-9223372036854775809", String(repeating: "9", count: 400)] {
      #expect(try JSONReader.read(digits) == .large(digits))
      #expect(try JSONReader.read(digits).text == digits)
    }
    #expect(try ValueDecoder.decode(UInt64.self, from: .large("18446744073709551615")) == .max)
    #expect(throws: DecodingError.self) {
      try ValueDecoder.decode(UInt64.self, from: .large("18446744073709551616"))
    }
    #expect(try ValueDecoder.decode(Double.self, from: .large("18446744073709551616")) == 0x1p64)
    #expect(throws: DecodingError.self) {
      try ValueDecoder.decode(Double.self, from: .large(String(repeating: "9", count: 400)))
    }
  }

  /// The texts of JSONTestSuite by name, with the two long ones, which are made here.
  private static func suite() throws -> [(name: Substring, bytes: [UInt8])] {
    let path = "Tests/Laboratory/MillraceTraceTests/JSON/JSONTestSuite.txt"
    let lines = try Checkout.text(path).split(separator: "\n")
    return lines.filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: " ")
      return (parts[0], Array(Data(base64Encoded: parts[1] == "=" ? "" : String(parts[1])) ?? Data()))
    } + [
      ("n_structure_100000_opening_arrays", Array(repeating: UInt8(ascii: "["), count: 100_000)),
      ("n_structure_open_array_object", Array(String(repeating: "[{\"\":", count: 50_000).utf8)),
    ]
  }

  @Test("of JSONTestSuite, all texts are accepted that must be, and none that must not")
  func suite() throws {
    let suite = try Self.suite()
    #expect(suite.count == 318)
    var taken: Set<Substring> = []
    for (name, bytes) in suite {
      let json = try? JSONReader.read(bytes, in: 0..<bytes.count)
      if !name.hasPrefix("i_") { #expect((json != nil) == name.hasPrefix("y_"), "\(name)") }
      guard let json else { continue }
      if name.hasPrefix("i_") { taken.insert(name) }
      #expect(try JSONReader.read(json.text) == json, "\(name)")
    }
    // A number is refused that no `Double` holds, and a string with what is no Unicode.
    #expect(
      taken == [
        "i_number_double_huge_neg_exp", "i_number_real_underflow", "i_number_too_big_neg_int",
        "i_number_too_big_pos_int", "i_number_very_big_negative_int",
      ])
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

  @Test("integers of 128 bits survive, in an object, an array and alone")
  func wide() throws {
    struct Wide: Codable, Hashable {
      var least = Int128.min
      var most: UInt128? = .max
      var list: [Int128] = [0, -1, .max]
      var byNumber: [Int128: UInt128] = [.min: 1]
    }
    let json = try JSONReader.read(ValueEncoder.encode(Wide()).text)
    #expect(json["least"] == .large("-170141183460469231731687303715884105728"))
    #expect(try ValueDecoder.decode(Wide.self, from: json) == Wide())
    #expect(try ValueDecoder.decode(Int128.self, from: ValueEncoder.encode(Int128.min)) == .min)
    #expect(throws: DecodingError.self) { try ValueDecoder.decode(Int.self, from: json["least"] ?? .null) }
  }

  @Test("a Float has its shortest text, and survives")
  func floats() throws {
    #expect(
      try ValueEncoder.encode([0.1, -2.5, 16_777_216, 3e38] as [Float]).text == "[0.1,-2.5,16777216.0,3e+38]")
    var random = SystemRandomNumberGenerator()
    for bits in (0..<10_000).map({ _ in UInt32.random(in: 0 ... .max, using: &random) }) + [
      0, 1, 0x7F7F_FFFF, 0x8000_0000,
    ] {
      let float = Float(bitPattern: bits)
      let json = try JSONReader.read(ValueEncoder.encode(float).text)
      let read = try ValueDecoder.decode(Float.self, from: json)
      #expect(read.bitPattern == bits || read.isNaN && float.isNaN, "\(bits)")
      // As an earlier version has written it.
      if float.isFinite {
        #expect(try ValueDecoder.decode(Float.self, from: .double(Double(float))) == float)
      }
    }
    #expect(throws: DecodingError.self) { try ValueDecoder.decode(Float.self, from: .double(1e300)) }
  }

  /// A list that is as deep as it is long.
  indirect enum Chain: Codable, Hashable {
    case end
    case link(Chain)
  }

  @Test("what is deeper than a line can be is not encoded, and a line that is as deep as it can be is read")
  func deep() throws {
    func chain(_ length: Int) -> Chain { (0..<length).reduce(.end) { chain, _ in .link(chain) } }
    // Each link is two objects.
    let deepest = chain((JSONReader.deepest - 10) / 2 - 1)
    let line = LineWriter.bytes(
      of: .snapshot(
        SnapshotLine(sequence: 1, time: 1, state: .json(try ValueEncoder.encode(deepest)), whole: nil)))
    #expect(try LineReader.read(line, in: 0..<line.count - 1).time == 1)
    #expect(throws: EncodingError.self) { try ValueEncoder.encode(chain(100)) }
    func made(_ chain: Chain) -> Payload {
      var maker = PayloadMaker(Redactor([]))
      return maker.payload(of: chain)
    }
    let memory = TraceMemory()
    for payload in [2, 100, 1_000].map({ made(chain($0)) }) {
      memory.append(
        LineWriter.bytes(of: .snapshot(SnapshotLine(sequence: 1, time: 1, state: payload, whole: nil))))
    }
    var scanner = LineScanner()
    scanner.add(memory.bytes)
    for isJSON in [true, false, false] {
      guard case .success(.snapshot(let line))? = scanner.next()?.result else {
        Issue.record("a line cannot be read")
        continue
      }
      if case .json = line.state { #expect(isJSON) } else { #expect(!isJSON) }
    }
  }

  /// Encodes and decodes fields whose names no type knows.
  struct Open: Codable, Hashable {
    var fields: [String: Int]
    struct Name: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    init(_ fields: [String: Int]) { self.fields = fields }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      fields = try Dictionary(
        uniqueKeysWithValues: container.allKeys.map {
          ($0.stringValue, try container.decode(Int.self, forKey: $0))
        })
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in fields {
        try container.encode(-1, forKey: Name(stringValue: name))
        try container.encode(value, forKey: Name(stringValue: name))
      }
    }
  }

  @Test(
    "fields are found among few and many, and a field that is encoded twice has its last value",
    arguments: [0, 1, 15, 16, 17, 40, 20_000])
  func fields(count: Int) throws {
    let open = Open(Dictionary(uniqueKeysWithValues: (0..<count).map { ("field \($0)", $0) }))
    let json = try JSONReader.read(ValueEncoder.encode(open).text)
    #expect(json.fields?.count == count)
    #expect(try ValueDecoder.decode(Open.self, from: json) == open)
    #expect(try ValueDecoder.decode([String: Int].self, from: json) == open.fields)
    // Of two fields with one name, the first.
    let twice = JSON.object((json.fields ?? []) + (json.fields ?? []).map { JSON.Field($0.key, .null) })
    #expect(try ValueDecoder.decode([String: Int].self, from: twice) == open.fields)
  }

  struct Upload: Codable, Hashable, Sendable {
    var body: Data
    var bytes: [UInt8]
    var parts: [Data]
    var counts: [Int]
  }

  struct Sealed: Hashable, Sendable {
    var body: Data
    var bytes: [UInt8]
  }

  @Test("bytes are looked at as text, in values that are encoded and in those that are spelled")
  func bytes() throws {
    let redactor = Redactor([.text(named: "secrets") { $0.replacing(RedactionTests.secret, with: "•") }])
    let secret = Data("token=\(RedactionTests.secret)".utf8)
    let upload = Upload(
      body: secret, bytes: Array(secret), parts: [secret, Data([0xFF, 0xFE])], counts: secret.map { Int($0) })
    let json = try ValueEncoder.encode(upload, redactor)
    let back = try ValueDecoder.decode(Upload.self, from: json)
    let clean = Data("token=•".utf8)
    #expect(
      back
        == Upload(
          body: clean, bytes: Array(clean), parts: [clean, Data([0xFF, 0xFE])], counts: upload.counts))
    let text = redactor.text(of: Sealed(body: secret, bytes: Array(secret)))
    #expect(
      text == Redactor([]).text(of: Sealed(body: clean, bytes: Array(clean)))
        || text.contains("\(Array(clean))"), "\(text)")
    #expect(!text.contains("\(Array(RedactionTests.secret.utf8))".dropFirst().dropLast()))
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
