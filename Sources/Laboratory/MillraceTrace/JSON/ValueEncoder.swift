/// Encodes a value as JSON. Equal values have equal JSON: the elements of sets and the keys of dictionaries are sorted.
final class ValueEncoder: Encoder {
  /// The part of a value encoded so far.
  fileprivate final class Node {
    var value: JSON?
    var fields: [(key: String, node: Node)]?
    var elements: [Node]?
    /// The indices of the fields by name, once there are so many fields that a linear search costs more.
    private var places: [String: Int] = [:]

    var json: JSON {
      if let value { return value }
      if let fields { return .object(fields.map { JSON.Field($0.key, $0.node.json) }) }
      if let elements { return .array(elements.map(\.json)) }
      return .object([])
    }

    /// Adds a field, or replaces the one of the same name.
    func put(_ node: Node, _ name: String) {
      let count = fields?.count ?? 0
      if count == 16, places.isEmpty, let fields {
        places = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.key, $0) })
      }
      if let place = count < 16 ? fields?.firstIndex(where: { $0.key == name }) : places[name] {
        fields?[place].node = node
        return
      }
      if count >= 16 { places[name] = count }
      fields?.append((name, node))
    }
  }

  fileprivate let node = Node()
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  fileprivate let redactor: Redactor
  private let depth: Int

  private init(_ codingPath: [any CodingKey], _ redactor: Redactor, depth: Int) {
    (self.codingPath, self.redactor, self.depth) = (codingPath, redactor, depth)
  }

  /// An encoder for a value within this one.
  fileprivate func inner(_ key: (any CodingKey)? = nil) -> ValueEncoder {
    ValueEncoder(key.map { codingPath + [$0] } ?? codingPath, redactor, depth: depth + 1)
  }

  static func encode(_ value: some Encodable, _ redactor: Redactor = Redactor([])) throws -> JSON {
    let encoder = ValueEncoder([], redactor, depth: 0)
    try encoder.encode(value)
    return encoder.node.json
  }

  /// The largest number of values nested in each other. A reader takes this many, with those of the line around them.
  private static let deepest = JSONReader.deepest - 10

  func encode<Value: Encodable>(_ value: Value) throws {
    if depth > Self.deepest {
      let problem = "more than \(Self.deepest) values within each other"
      throw EncodingError.invalidValue(value, .init(codingPath: codingPath, debugDescription: problem))
    }
    if redactor.looksIntoValues, let text = redactor.text(inPlaceOf: value) {
      node.value = .string(text)
    } else {
      try encodeSeen(redactor.looksIntoValues ? redactor.changed(value) : value)
    }
  }

  private func encodeSeen<Value: Encodable>(_ value: Value) throws {
    if let bytes = redactor.redacted(bytesOf: value) {
      node.value = .array(bytes.map { .int(Int64($0)) })
      return
    }
    switch value {
    case let value as Int: encode(value)
    case let value as String: encode(value)
    case let value as Double: encode(value)
    case let value as Bool: encode(value)
    case let value as any UnorderedValue:
      node.value = try value.sortedJSON { element in
        let inner = inner()
        try inner.encode(element)
        return inner.node.json
      }
    default: try value.encode(to: self)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed<Key>(self))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { node.value = .null }
  func encode(_ value: Bool) { node.value = .bool(value) }
  func encode(_ value: String) { node.value = .string(redactor.redact(value)) }
  /// NaN and infinities have no JSON number, so they become strings.
  func encode(_ value: Double) {
    node.value =
      value.isFinite ? .double(value) : .string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }
  func encode(_ value: Float) { encode(Double(value.description) ?? Double(value)) }
  func encode<Value: Encodable & FixedWidthInteger>(_ value: Value) { node.value = .number(value) }
  // The standard library's own implementation for these two reports that they are not supported.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: Int128) { node.value = .number(value) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func encode(_ value: UInt128) { node.value = .number(value) }
}

/// A collection whose order has no meaning.
private protocol UnorderedValue {
  func sortedJSON(_ encode: (any Encodable) throws -> JSON) throws -> JSON
}

extension Set: UnorderedValue where Element: Encodable {
  fileprivate func sortedJSON(_ encode: (any Encodable) throws -> JSON) throws -> JSON {
    .array(try map { try encode($0) }.map { ($0, $0.text) }.sorted { $0.1 < $1.1 }.map(\.0))
  }
}

extension Dictionary: UnorderedValue where Key: Encodable, Value: Encodable {
  fileprivate func sortedJSON(_ encode: (any Encodable) throws -> JSON) throws -> JSON {
    func name(_ key: Key) -> String? {
      switch key {
      case let key as String: (try? encode(key))?.string
      case let key as any CodingKeyRepresentable: key.codingKey.stringValue
      default: nil
      }
    }
    if isEmpty, !(Key.self is any CodingKeyRepresentable.Type) { return .array([]) }
    let named = try map { (name($0.key), $0.key, try encode($0.value)) }
    if named.allSatisfy({ $0.0 != nil }) {
      return .object(named.map { JSON.Field($0.0 ?? "", $0.2) }.sorted { $0.key < $1.key })
    }
    let pairs = try named.map { (try encode($0.1), $0.2) }.map { ($0.0, $0.1, $0.0.text) }
    return .array(pairs.sorted { $0.2 < $1.2 }.flatMap { [$0.0, $0.1] })
  }
}

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  init(_ encoder: ValueEncoder) {
    self.encoder = encoder
    if encoder.node.fields == nil { encoder.node.fields = [] }
  }

  private func put(_ inner: ValueEncoder, _ key: any CodingKey) {
    encoder.node.put(inner.node, encoder.redactor.redact(key.stringValue))
  }
  private func added(_ key: any CodingKey) -> ValueEncoder {
    let inner = encoder.inner(key)
    put(inner, key)
    return inner
  }

  mutating func encodeNil(forKey key: Key) { added(key).node.value = .null }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let inner = encoder.inner(key)
    try inner.encode(value)
    put(inner, key)
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128, forKey key: Key) { added(key).node.value = .number(value) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128, forKey key: Key) { added(key).node.value = .number(value) }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> { added(key).container(keyedBy: keyType) }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    added(key).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { added(SuperKey()) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { added(key) }
}

/// The key for the superclass's part of a class that names no key for it.
struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }
  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

private struct Unkeyed: UnkeyedEncodingContainer {
  private let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.elements?.count ?? 0 }

  init(_ encoder: ValueEncoder) {
    self.encoder = encoder
    if encoder.node.elements == nil { encoder.node.elements = [] }
  }

  private func added() -> ValueEncoder {
    let inner = encoder.inner()
    encoder.node.elements?.append(inner.node)
    return inner
  }

  mutating func encodeNil() { added().node.value = .null }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    let inner = encoder.inner()
    try inner.encode(value)
    encoder.node.elements?.append(inner.node)
  }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: Int128) { added().node.value = .number(value) }
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  mutating func encode(_ value: UInt128) { added().node.value = .number(value) }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> { added().container(keyedBy: keyType) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { added().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { added() }
}
