/// A change of the value of one key.
public enum JournalChange<Value: Sendable>: Sendable {
  /// The key has this value.
  case set(Value)
  /// The key was removed.
  case removed

  /// The new value; `nil` if the key was removed.
  public var value: Value? {
    if case .set(let value) = self { value } else { nil }
  }

  /// Makes the change that sets the key to `value`, or removes it if `nil`.
  public init(_ value: Value?) { self = value.map { .set($0) } ?? .removed }
}

extension JournalChange: Equatable where Value: Equatable {}
extension JournalChange: Hashable where Value: Hashable {}
extension JournalChange: Codable where Value: Codable {}
