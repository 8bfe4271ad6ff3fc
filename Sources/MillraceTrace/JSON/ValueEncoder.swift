/// Encodes a value as JSON. Equal values have equal JSON: the elements of sets and the keys of dictionaries are sorted.
final class ValueEncoder: Encoder {
  /// The value as far as it is encoded.
  fileprivate final class Node {
    var value: JSON?
    var fields: [(key: String, node: Node)]?
    var elements: [Node]?

    var json: JSON {
      if let value { return value }
      if let fields { return .object(fields.map { JSON.Field($0.key, $0.node.json) }) }
      if let elements { return .array(elements.map(\.json)) }
      return .object([])
    }
  }

  fileprivate let node = Node()
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  fileprivate let redactor: Redactor

  fileprivate init(_ codingPath: [any CodingKey], _ redactor: Redactor) {
    (self.codingPath, self.redactor) = (codingPath, redactor)
  }

  static func encode(_ value: some Encodable, _ redactor: Redactor = Redactor([])) throws -> JSON {
    let encoder = ValueEncoder([], redactor)
    try encoder.encode(value)
    return encoder.node.json
  }

  fileprivate func encode<Value: Encodable>(_ value: Value) throws {
    if redactor.looksIntoValues {
      if let text = redactor.text(inPlaceOf: value) {
        node.value = .string(text)
        return
      }
      return try encodeSeen(redactor.changed(value))
    }
    try encodeSeen(value)
  }

  private func encodeSeen<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let value as Int: node.value = .int(Int64(value))
    case let value as String: node.value = .string(redactor.redact(value))
    case let value as Double: node.value = Self.json(value)
    case let value as Bool: node.value = .bool(value)
    case let value as any UnorderedValue: node.value = try value.sortedJSON { try Self.json(of: $0, self) }
    default: try value.encode(to: self)
    }
  }

  private static func json(of value: some Encodable, _ outer: ValueEncoder) throws -> JSON {
    let encoder = ValueEncoder(outer.codingPath, outer.redactor)
    try encoder.encode(value)
    return encoder.node.json
  }

  /// Values that are no numbers have no JSON of their own.
  fileprivate static func json(_ value: Double) -> JSON {
    if value.isFinite { return .double(value) }
    return .string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed<Key>(node, codingPath, redactor))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(node, codingPath, redactor) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }
}

/// A collection whose order says nothing.
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
      case let key as String: encodedName(key)
      case let key as Int: key.description
      case let key as any CodingKeyRepresentable: key.codingKey.stringValue
      default: nil
      }
    }
    func encodedName(_ key: String) -> String? { (try? encode(key))?.string }
    if isEmpty, !(Key.self is String.Type), !(Key.self is Int.Type),
      !(Key.self is any CodingKeyRepresentable.Type)
    {
      return .array([])
    }
    let named = try map { (name($0.key), $0.key, try encode($0.value)) }
    if named.allSatisfy({ $0.0 != nil }) {
      return .object(named.map { JSON.Field($0.0 ?? "", $0.2) }.sorted { $0.key < $1.key })
    }
    let pairs = try named.map { (try encode($0.1), $0.2) }.map { ($0.0, $0.1, $0.0.text) }
    return .array(pairs.sorted { $0.2 < $1.2 }.flatMap { [$0.0, $0.1] })
  }
}

private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: ValueEncoder.Node
  let codingPath: [any CodingKey]
  let redactor: Redactor

  init(_ node: ValueEncoder.Node, _ codingPath: [any CodingKey], _ redactor: Redactor) {
    (self.node, self.codingPath, self.redactor) = (node, codingPath, redactor)
    if node.fields == nil { node.fields = [] }
  }

  private func put(_ child: ValueEncoder.Node, _ key: any CodingKey) {
    let name = redactor.redact(key.stringValue)
    if let index = node.fields?.firstIndex(where: { $0.key == name }) {
      node.fields?[index].node = child
    } else {
      node.fields?.append((name, child))
    }
  }
  private func put(_ value: JSON, _ key: Key) {
    let child = ValueEncoder.Node()
    child.value = value
    put(child, key)
  }

  mutating func encodeNil(forKey key: Key) { put(.null, key) }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let encoder = ValueEncoder(codingPath + [key], redactor)
    try encoder.encode(value)
    put(encoder.node, key)
  }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let child = ValueEncoder.Node()
    put(child, key)
    return KeyedEncodingContainer(Keyed<NestedKey>(child, codingPath + [key], redactor))
  }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let child = ValueEncoder.Node()
    put(child, key)
    return Unkeyed(child, codingPath + [key], redactor)
  }
  mutating func superEncoder() -> any Encoder { superEncoder(SuperKey()) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }
  private func superEncoder(_ key: any CodingKey) -> any Encoder {
    let encoder = ValueEncoder(codingPath + [key], redactor)
    put(encoder.node, key)
    return encoder
  }
}

/// The key under which a class that says none encodes what is its superclass's.
struct SuperKey: CodingKey {
  var stringValue: String { "super" }
  var intValue: Int? { nil }
  init() {}
  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

private struct Unkeyed: UnkeyedEncodingContainer {
  let node: ValueEncoder.Node
  let codingPath: [any CodingKey]
  let redactor: Redactor
  var count: Int { node.elements?.count ?? 0 }

  init(_ node: ValueEncoder.Node, _ codingPath: [any CodingKey], _ redactor: Redactor) {
    (self.node, self.codingPath, self.redactor) = (node, codingPath, redactor)
    if node.elements == nil { node.elements = [] }
  }

  private func put(_ child: ValueEncoder.Node) { node.elements?.append(child) }

  mutating func encodeNil() {
    let child = ValueEncoder.Node()
    child.value = .null
    put(child)
  }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    let encoder = ValueEncoder(codingPath, redactor)
    try encoder.encode(value)
    put(encoder.node)
  }
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    let child = ValueEncoder.Node()
    put(child)
    return KeyedEncodingContainer(Keyed<NestedKey>(child, codingPath, redactor))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let child = ValueEncoder.Node()
    put(child)
    return Unkeyed(child, codingPath, redactor)
  }
  mutating func superEncoder() -> any Encoder {
    let encoder = ValueEncoder(codingPath, redactor)
    put(encoder.node)
    return encoder
  }
}

private struct Single: SingleValueEncodingContainer {
  let encoder: ValueEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func put(_ value: JSON) { encoder.node.value = value }

  mutating func encodeNil() { put(.null) }
  mutating func encode(_ value: Bool) { put(.bool(value)) }
  mutating func encode(_ value: String) { put(.string(encoder.redactor.redact(value))) }
  mutating func encode(_ value: Double) { put(ValueEncoder.json(value)) }
  mutating func encode(_ value: Float) { put(ValueEncoder.json(Double(value))) }
  mutating func encode(_ value: Int) { put(.int(Int64(value))) }
  mutating func encode(_ value: Int8) { put(.int(Int64(value))) }
  mutating func encode(_ value: Int16) { put(.int(Int64(value))) }
  mutating func encode(_ value: Int32) { put(.int(Int64(value))) }
  mutating func encode(_ value: Int64) { put(.int(value)) }
  mutating func encode(_ value: UInt) { put(.number(UInt64(value))) }
  mutating func encode(_ value: UInt8) { put(.int(Int64(value))) }
  mutating func encode(_ value: UInt16) { put(.int(Int64(value))) }
  mutating func encode(_ value: UInt32) { put(.int(Int64(value))) }
  mutating func encode(_ value: UInt64) { put(.number(value)) }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }
}
