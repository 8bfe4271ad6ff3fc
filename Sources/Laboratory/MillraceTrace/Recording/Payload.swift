import Millrace
import MillraceSpelling

/// A recorded value of the program: JSON if the value can be encoded, otherwise text.
package enum Payload: Equatable, Sendable {
  case json(JSON)
  case text(String)

  /// The payload in one line, for people.
  package var text: String {
    switch self {
    case .json(let json): json.text
    case .text(let text): text
    }
  }

  package var json: JSON {
    switch self {
    case .json(let json): json
    case .text(let text): .string(text)
    }
  }

  /// The differences between two payloads, as lines.
  package func differences(to new: Payload, atMost limit: Int = 20) -> [String] {
    if case .json(let old) = self, case .json(let new) = new {
      return JSONDifference.lines(old, new, atMost: limit)
    }
    return self == new ? [] : ["- \(text)", "+ \(new.text)"]
  }

  /// The payload in one line, cut to a length.
  func shortText(_ limit: Int) -> String {
    let text = text
    return text.count > limit ? text.prefix(limit - 3) + "…" : text
  }
}

/// Makes payloads, and notes the types of which it could make only text.
struct PayloadMaker {
  let redactor: Redactor
  private var spelledTypes: Set<ObjectIdentifier> = []
  private var unreportedTypes: [String] = []

  init(_ redactor: Redactor) { self.redactor = redactor }

  mutating func payload(of value: Any) -> Payload {
    if let encodable = value as? any Encodable, let json = try? ValueEncoder.encode(encodable, redactor) {
      return .json(json)
    }
    let type = type(of: value)
    if spelledTypes.insert(ObjectIdentifier(type)).inserted {
      unreportedTypes.append(Spelling.name(of: type))
    }
    return .text(redactor.text(of: value))
  }

  /// The names of the types of which text was made for the first time since the last call.
  mutating func takeSpelledTypes() -> [String] {
    if unreportedTypes.isEmpty { return [] }
    defer { unreportedTypes = [] }
    return unreportedTypes
  }
}
