/// Decodes a value from the JSON that ``ValueEncoder`` makes.
struct ValueDecoder: Decoder {
  let json: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<Value: Decodable>(_ type: Value.Type, from json: JSON) throws -> Value {
    try ValueDecoder(json: json, codingPath: []).decode(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch json {
    case .int(let value) where type == Int.self:
      if let value = Int(exactly: value) as? Value { return value }
    case .string(let value) where type == String.self: if let value = value as? Value { return value }
    case .bool(let value) where type == Bool.self: if let value = value as? Value { return value }
    case .double(let value) where type == Double.self: if let value = value as? Value { return value }
    default: break
    }
    return try Value(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let fields) = json else { throw mismatch("an object") }
    return KeyedDecodingContainer(KeyedValues<Key>(fields: fields, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw mismatch("an array") }
    return UnkeyedValues(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ expected: String) -> DecodingError {
    let found =
      switch json {
      case .null: "null"
      case .bool: "a Boolean"
      case .int, .large, .double: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    return .typeMismatch(
      JSON.self,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "\(found), where \(expected) is expected"))
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { json == .null }
  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let value) = json else { throw mismatch("a Boolean") }
    return value
  }
  func decode(_ type: String.Type) throws -> String {
    guard case .string(let value) = json else { throw mismatch("a string") }
    return value
  }
  func decode(_ type: Double.Type) throws -> Double {
    switch json {
    case .double(let value): return value
    case .int(let value): return Double(value)
    case .large(let digits):
      guard let value = Double(digits), value.isFinite else { throw mismatch("a number of type Double") }
      return value
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    default: throw mismatch("a number")
    }
  }
  func decode(_ type: Float.Type) throws -> Float {
    let double = try decode(Double.self)
    // Converts the text, so that the number is rounded only once.
    guard let float = Float(double.description), float.isInfinite == double.isInfinite else {
      throw mismatch("a number of type Float")
    }
    return float
  }
  func decode<Value: Decodable & FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    try integer(type)
  }
  fileprivate func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    let value: Value? =
      switch json {
      case .int(let value): Value(exactly: value)
      case .large(let digits): Value(digits)
      case .double(let value): Value(exactly: value)
      default: throw mismatch("a number")
      }
    guard let value else { throw mismatch("a number of type \(type)") }
    return value
  }
  // The standard library's own implementation for these two reports that they are not supported.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let fields: [JSON.Field]
  let codingPath: [any CodingKey]
  /// The values by name, if there are so many fields that a linear search costs more.
  private let table: [String: JSON]?

  init(fields: [JSON.Field], codingPath: [any CodingKey]) {
    (self.fields, self.codingPath) = (fields, codingPath)
    table = fields.count < 16 ? nil : Dictionary(fields.lazy.map { ($0.key, $0.value) }) { first, _ in first }
  }

  var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  private func find(_ key: any CodingKey) -> JSON? {
    let name = key.stringValue
    if let table { return table[name] }
    return fields.first { $0.key == name }?.value
  }

  private func decoder(_ key: any CodingKey) throws -> ValueDecoder {
    guard let json = find(key) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "there is no field '\(key.stringValue)'"))
    }
    return ValueDecoder(json: json, codingPath: codingPath + [key])
  }

  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).json == .null }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).decode(type)
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder(key).integer(type) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decoder(key).integer(type) }
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { try decoder(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try decoder(SuperKey()) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct UnkeyedValues: UnkeyedDecodingContainer {
  let elements: [JSON]
  let codingPath: [any CodingKey]
  var currentIndex = 0
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  private func decoder() throws -> ValueDecoder {
    guard currentIndex < elements.count else {
      throw DecodingError.valueNotFound(
        JSON.self, DecodingError.Context(codingPath: codingPath, debugDescription: "the array has ended"))
    }
    return ValueDecoder(json: elements[currentIndex], codingPath: codingPath)
  }

  /// Decodes the next element, and advances only if that succeeds.
  private mutating func next<Value>(_ decode: (ValueDecoder) throws -> Value) throws -> Value {
    let value = try decode(decoder())
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    let isNil = try decoder().json == .null
    if isNil { currentIndex += 1 }
    return isNil
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next { try $0.decode(type) }
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.integer(type) } }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.integer(type) } }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> { try next { try $0.container(keyedBy: type) } }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
