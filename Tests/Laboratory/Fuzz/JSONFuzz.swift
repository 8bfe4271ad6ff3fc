import Foundation

@testable import MillraceTrace

/// What is taken is JSON to Foundation too, and reads back as it is written.
func fuzzJSON(_ bytes: [UInt8]) {
  guard let value = try? JSONReader.read(bytes, in: 0..<bytes.count) else { return }
  let text = value.text
  let again = try? JSONReader.read(text)
  check(again == value, "\(text) reads back as \(again?.text ?? "nothing")")
  guard String(validating: bytes, as: UTF8.self) != nil else { return }
  // In a list: Foundation takes some numbers for none that are all of a text. It refuses whole numbers beyond a `Double`.
  let other = try? JSONSerialization.jsonObject(with: Data("[".utf8) + bytes + Data("]".utf8))
  check(other != nil || hasImmenseNumber(value), "Foundation takes this for no JSON")
}

private func hasImmenseNumber(_ value: JSON) -> Bool {
  switch value {
  case .large(let digits): Double(digits)?.isFinite != true
  case .array(let elements): elements.contains(where: hasImmenseNumber)
  case .object(let fields): fields.contains { hasImmenseNumber($0.value) }
  case .null, .bool, .int, .double, .string: false
  }
}
