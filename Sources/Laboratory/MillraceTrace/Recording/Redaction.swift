import Foundation

/// A rule that keeps data out of recordings. It is applied when an event is turned into text, before the text is stored
/// anywhere.
///
/// ```swift
/// let redactions: [Redaction] = [
///   .type(Password.self),
///   .keyPath(\Session.token, named: "token", with: "removed"),
///   .text(named: "bearer tokens") { $0.hasPrefix("Bearer ") ? "Bearer removed" : $0 },
/// ]
/// ```
///
/// Rules apply at any depth to actions, states, requests, errors, names, reasons of waits and places. The header of the
/// recording has the names of the rules, but nothing that they remove. If a rule concerns values, by type or key path,
/// reports of the store are recorded by kind and place, without their messages.
public struct Redaction: Sendable {
  /// The rule's name in the header of a recording.
  public let name: String
  var text: (@Sendable (Any) -> String?)?
  var change: (@Sendable (Any) -> Any?)?
  var redact: (@Sendable (String) -> String)?

  /// Replaces every value of a type by the type's name in angle quotes.
  ///
  /// If actions contain such a value, they cannot be decoded and the recording cannot be replayed. To keep it
  /// replayable, use ``keyPath(_:named:with:)``.
  public static func type<Value>(_ type: Value.Type) -> Redaction {
    let name = String(describing: type)
    return Redaction(name: name, text: { $0 is Value ? "‹\(name)›" : nil })
  }

  /// Replaces a part of every value of a type by another value of the same type, so that the recording can still be
  /// replayed.
  ///
  /// - Parameters:
  ///   - part: the key path of the part. Applies to every value of the root type, also within other values.
  ///   - name: the rule's name in the header.
  ///   - replacement: the value to record instead.
  public static func keyPath<Root: Sendable, Part: Sendable>(
    _ part: any WritableKeyPath<Root, Part> & Sendable, named name: String, with replacement: Part
  ) -> Redaction {
    Redaction(
      name: name,
      change: { value in
        guard var root = value as? Root else { return nil }
        root[keyPath: part] = replacement
        return root
      })
  }

  /// Changes every recorded text: each string within an `Encodable` value, the whole text of any other value, and each
  /// name, reason and error. Bytes, as in `Data` and arrays of `UInt8`, are treated as UTF-8 text. If a rule changes
  /// that text, its bytes are recorded.
  ///
  /// - Parameters:
  ///   - name: the rule's name in the header.
  ///   - redact: returns the text to record. Pure; called on the recorder's thread.
  public static func text(
    named name: String, _ redact: @escaping @Sendable (String) -> String
  ) -> Redaction { Redaction(name: name, redact: redact) }
}

/// Applies rules of redaction.
struct Redactor: Sendable {
  let names: [String]
  private let texts: [@Sendable (Any) -> String?]
  private let changes: [@Sendable (Any) -> Any?]
  private let strings: [@Sendable (String) -> String]
  /// Whether a rule concerns values other than strings.
  let looksIntoValues: Bool

  init(_ rules: [Redaction]) {
    names = rules.map(\.name)
    texts = rules.compactMap(\.text)
    changes = rules.compactMap(\.change)
    strings = rules.compactMap(\.redact)
    looksIntoValues = !texts.isEmpty || !changes.isEmpty
  }

  /// The text in place of a value whose type is redacted; `nil` for other values.
  func text(inPlaceOf value: Any) -> String? { texts.lazy.compactMap { $0(value) }.first }

  func changed<Value>(_ value: Value) -> Value {
    // Casts no `nil`: it could be cast to a type of optionals.
    changes.reduce(value) { value, change in change(value).flatMap { $0 as? Value } ?? value }
  }

  func redact(_ text: String) -> String { strings.reduce(text) { $1($0) } }

  /// The bytes of the changed text, if the value is bytes of a text that a rule changes; otherwise `nil`.
  func redacted(bytesOf value: Any) -> [UInt8]? {
    if strings.isEmpty { return nil }
    let bytes: [UInt8]
    switch value {
    case let value as [UInt8]: bytes = value
    case let value as Data: bytes = Array(value)
    case let value as ArraySlice<UInt8>: bytes = Array(value)
    case let value as ContiguousArray<UInt8>: bytes = Array(value)
    default: return nil
    }
    if bytes.isEmpty { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let changed = redact(text)
    return changed == text ? nil : Array(changed.utf8)
  }
}
