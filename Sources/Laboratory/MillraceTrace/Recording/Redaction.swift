import Foundation

/// A rule that keeps something out of every recording: it is applied when an event is made into text, before anything
/// keeps it.
///
/// ```swift
/// let redactions: [Redaction] = [
///   .type(Password.self),
///   .keyPath(\Session.token, named: "token", with: "removed"),
///   .text(named: "bearer tokens") { $0.hasPrefix("Bearer ") ? "Bearer removed" : $0 },
/// ]
/// ```
///
/// Rules apply to actions, states, requests, errors, names, reasons of waits and places alike, at any depth. A rule's
/// name stands in the header of the recording; what a rule removes does not. With a rule for values, by type or key path,
/// a report of the store is recorded by its kind and place, without its message.
public struct Redaction: Sendable {
  /// Its name in the header of a recording.
  public let name: String
  let text: (@Sendable (Any) -> String?)?
  let change: (@Sendable (Any) -> Any?)?
  let redact: (@Sendable (String) -> String)?

  /// Replaces every value of a type by its name in angle quotes.
  ///
  /// A recording whose actions hold such a value cannot be replayed, since they cannot be decoded. Where that matters
  /// use ``keyPath(_:named:with:)``.
  public static func type<Value>(_ type: Value.Type) -> Redaction {
    let name = String(describing: type)
    return Redaction(name: name, text: { $0 is Value ? "‹\(name)›" : nil }, change: nil, redact: nil)
  }

  /// Replaces a part of every value of a type by another value of the same type, so that the recording can still be
  /// replayed.
  ///
  /// - Parameters:
  ///   - part: the way to the part. Applies where a value of the root type is met, also within other values.
  ///   - name: the rule's name in the header.
  ///   - replacement: the value in its place.
  public static func keyPath<Root: Sendable, Part: Sendable>(
    _ part: any WritableKeyPath<Root, Part> & Sendable, named name: String, with replacement: Part
  ) -> Redaction {
    Redaction(
      name: name, text: nil,
      change: { value in
        guard var root = value as? Root else { return nil }
        root[keyPath: part] = replacement
        return root
      }, redact: nil)
  }

  /// Changes every text that is recorded: each string within a value that is `Encodable`, the whole text of one that is
  /// not, and each name, reason and error. Bytes, as in `Data` and arrays of `UInt8`, are looked at as the UTF-8 text that
  /// they are; where a rule changes that, the bytes of the changed text are recorded.
  ///
  /// - Parameters:
  ///   - name: the rule's name in the header.
  ///   - redact: returns the text to record. Pure; called on the recorder's thread.
  public static func text(
    named name: String, _ redact: @escaping @Sendable (String) -> String
  ) -> Redaction { Redaction(name: name, text: nil, change: nil, redact: redact) }
}

/// Applies some rules.
struct Redactor: Sendable {
  let names: [String]
  private let texts: [@Sendable (Any) -> String?]
  private let changes: [@Sendable (Any) -> Any?]
  private let strings: [@Sendable (String) -> String]
  /// Whether rules look at values that are no strings.
  let looksIntoValues: Bool

  init(_ rules: [Redaction]) {
    names = rules.map(\.name)
    texts = rules.compactMap(\.text)
    changes = rules.compactMap(\.change)
    strings = rules.compactMap(\.redact)
    looksIntoValues = !texts.isEmpty || !changes.isEmpty
  }

  /// What stands in place of a value of a type that is not recorded.
  func text(inPlaceOf value: Any) -> String? { texts.lazy.compactMap { $0(value) }.first }

  func changed<Value>(_ value: Value) -> Value {
    changes.reduce(value) { value, change in change(value) as? Value ?? value }
  }

  func redact(_ text: String) -> String { strings.reduce(text) { $1($0) } }

  /// The bytes of the changed text, if the value is bytes of a text that a rule changes.
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
