/// The name of an entry of a ``DurableOutbox``. The receiver recognises a repeated entry by it.
///
/// No two entries have equal keys, even in different outboxes or after a restart of the program. An entry that was
/// replaced in its place keeps its epoch and number and gets the next revision. So a receiver knows it as a newer
/// version of the same entry.
///
/// ```swift
/// let key = OutboxKey(epoch: 0xA1, number: 7)
/// print(key, key.revised)  // 00000000000000a1-7 00000000000000a1-7.1
/// ```
public struct OutboxKey: Hashable, Comparable, Sendable {
  /// The series to which the number belongs. A new outbox chooses it at random.
  public let epoch: UInt64
  /// The number within the epoch, in the order in which entries were appended. Numbers may be skipped.
  public let number: UInt64
  /// The number of times that the entry was replaced in its place.
  public let revision: UInt64

  /// Makes a key.
  public init(epoch: UInt64, number: UInt64, revision: UInt64 = 0) {
    (self.epoch, self.number, self.revision) = (epoch, number, revision)
  }

  /// The key of the entry that replaces this one in its place.
  public var revised: OutboxKey { OutboxKey(epoch: epoch, number: number, revision: revision + 1) }

  /// Orders keys of one epoch by their numbers and revisions. The order of different epochs has no meaning.
  public static func < (left: Self, right: Self) -> Bool {
    (left.epoch, left.number, left.revision) < (right.epoch, right.number, right.revision)
  }
}

extension OutboxKey: LosslessStringConvertible {
  /// The epoch in sixteen hexadecimal digits, a hyphen, and the number; then a full stop and the revision, if there is
  /// one.
  public var description: String {
    let digits = String(epoch, radix: 16)
    let name = "\(String(repeating: "0", count: 16 - digits.count))\(digits)-\(number)"
    return revision == 0 ? name : "\(name).\(revision)"
  }

  /// Reads a key from its description; `nil` for any other text.
  public init?(_ description: String) {
    let parts = description.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "." }
    guard 2...3 ~= parts.count, let epoch = UInt64(parts[0], radix: 16), let number = UInt64(parts[1]),
      let revision = parts.count == 3 ? UInt64(parts[2]) : 0
    else { return nil }
    self.init(epoch: epoch, number: number, revision: revision)
    guard self.description == description else { return nil }
  }
}

extension OutboxKey: Codable {
  private enum CodingKeys: CodingKey { case epoch, number, revision }

  /// Reads a key; one without a revision has revision 0.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      epoch: try values.decode(UInt64.self, forKey: .epoch),
      number: try values.decode(UInt64.self, forKey: .number),
      revision: try values.decodeIfPresent(UInt64.self, forKey: .revision) ?? 0)
  }

  /// Writes the revision only if there is one.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(epoch, forKey: .epoch)
    try values.encode(number, forKey: .number)
    if revision > 0 { try values.encode(revision, forKey: .revision) }
  }
}
