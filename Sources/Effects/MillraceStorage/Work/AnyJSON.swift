import Foundation

/// Any JSON value, for payloads of unknown types.
struct AnyJSON: Codable, Hashable, Sendable {
  private static let kinds: [any (Codable & Sendable).Type] = [
    String.self, [String: AnyJSON].self, [AnyJSON].self, Decimal.self, Double.self, Bool.self,
  ]

  private let value: any Encodable & Sendable

  /// Reads JSON. For other bytes, the value is a text that says so.
  init(_ bytes: Data) {
    let json = try? JSONDecoder().decode(AnyJSON.self, from: bytes)
    value = json?.value ?? "\(bytes.count) bytes that are no JSON"
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    for kind in Self.kinds {
      if let found = try? container.decode(kind) {
        value = found
        return
      }
    }
    value = String?.none
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()  // keeps a `Decimal` a number
    try container.encode(value)
  }

  /// The JSON in one line. For a string, the string itself.
  var text: String { value as? String ?? json }

  /// The JSON in one line.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  static func == (left: Self, right: Self) -> Bool { left.json == right.json }
  func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
