/// The name of an entry of a ``DurableOutbox``, by which its receiver recognises it when it comes again.
///
/// No two entries have equal keys, whichever lives of the program and whichever outboxes they come from, as long as
/// every outbox that does not continue a stored one begins an epoch of its own.
///
/// ```swift
/// let key = OutboxKey(epoch: 0xA1, number: 7)
/// print(key)  // 00000000000000a1-7
/// ```
public struct OutboxKey: Hashable, Comparable, Codable, Sendable {
  /// The series to which the number belongs.
  public let epoch: UInt64
  /// The number within the epoch, from 1, in the order in which entries were appended.
  public let number: UInt64

  /// Makes a key.
  public init(epoch: UInt64, number: UInt64) { (self.epoch, self.number) = (epoch, number) }

  /// Orders keys of one epoch by their numbers, and otherwise by their epochs, whose order means nothing.
  public static func < (left: Self, right: Self) -> Bool {
    (left.epoch, left.number) < (right.epoch, right.number)
  }
}

extension OutboxKey: LosslessStringConvertible {
  /// The epoch in sixteen hexadecimal digits, a hyphen, and the number.
  public var description: String {
    let digits = String(epoch, radix: 16)
    return "\(String(repeating: "0", count: 16 - digits.count))\(digits)-\(number)"
  }

  /// Reads a key from its description; `nil` for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let epoch = UInt64(parts[0], radix: 16), let number = UInt64(parts[1]) else {
      return nil
    }
    self.init(epoch: epoch, number: number)
    guard self.description == description else { return nil }
  }
}
