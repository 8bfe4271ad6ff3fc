import Foundation

/// Any JSON value, for payloads of unknown types.
struct AnyJSON: Codable, Hashable, Sendable {
  private static let kinds: [any (Codable & Sendable).Type] = [
    String.self, [String: AnyJSON].self, [AnyJSON].self, Int64.self, UInt64.self, Double.self, Bool.self,
  ]

  private let value: any Encodable & Sendable

  /// Reads JSON. For other bytes, the value is a text that says so.
  init(_ bytes: Data) {
    let json = try? JSONDecoder().decode(AnyJSON.self, from: bytes)
    value = json?.value ?? "\(bytes.count) bytes that are no JSON"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value = Self.kinds.lazy.compactMap { try? container.decode($0) }.first ?? String?.none
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

  /// The JSON in one line. For a string, the string itself.
  var text: String {
    if let text = value as? String { return text }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  static func == (left: Self, right: Self) -> Bool { left.text == right.text }
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
