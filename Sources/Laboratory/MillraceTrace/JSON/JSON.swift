/// A JSON value. Objects keep the order of their fields, so that equal values of one type have equal text.
package enum JSON: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  case null
  case bool(Bool)
  case int(Int64)
  /// A whole number beyond `Int64`, in digits.
  case large(String)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([Field])

  package struct Field: Equatable, Sendable {
    package let key: String
    package let value: JSON

    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  package init(dictionaryLiteral fields: (String, JSON)...) { self = .object(fields.map(Field.init)) }

  package subscript(key: String) -> JSON? {
    get { fields?.first { $0.key == key }?.value }
    /// Adds a field that does not exist yet; `nil` adds none.
    set { if let newValue, let fields { self = .object(fields + [Field(key, newValue)]) } }
  }

  package static func strings(_ lines: [String]) -> JSON { .array(lines.map(JSON.string)) }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  package var fields: [Field]? { if case .object(let fields) = self { fields } else { nil } }

  package var int: Int64? { if case .int(let value) = self { value } else { nil } }

  package var uint: UInt64? {
    switch self {
    case .int(let value): UInt64(exactly: value)
    case .large(let digits): UInt64(digits)
    default: nil
    }
  }

  package static func number(_ value: some BinaryInteger) -> JSON {
    Int64(exactly: value).map(JSON.int) ?? .large(value.description)
  }

  package static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.large(let left), .large(let right)): left == right
    // NaN and infinities are encoded as strings, so these are finite. Minus zero differs from zero.
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}
