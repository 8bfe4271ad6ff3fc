/// What became of the value of one key.
public enum JournalChange<Value: Sendable>: Sendable {
  /// The key has this value now.
  case set(Value)
  /// The key has no value any more.
  case removed

  /// The value; `nil` if it was removed.
  public var value: Value? {
    if case .set(let value) = self { value } else { nil }
  }

  /// The change that makes a key have `value`.
  public init(_ value: Value?) { self = value.map { .set($0) } ?? .removed }
}

extension JournalChange: Equatable where Value: Equatable {}
