/// What a receiver has applied of the entries that ``DurableOutbox``es hand over to it. Keep it in the saved value that
/// the entries change, so that both are on disk in one step.
///
/// ```swift
/// case .delivered(let order, let key):
///   state.warehouse.save { warehouse in
///     if warehouse.inbox.accept(key, lane: order.customer) { warehouse.packed.append(order) }
///   }
/// ```
///
/// An entry counts as applied if it or a later one of its epoch and lane was accepted: entries of one lane come in
/// order, so that one number for each lane is enough. Confirm an entry once the value with its number is on disk.
///
/// - Note: Unsuitable where entries of one lane can overtake each other on their way, as in a queue without order: an
///   entry that was overtaken would be taken for one that comes again. Use a ``Ledger``, which remembers keys.
public struct Inbox: Hashable, Codable, Sendable {
  /// A lane of an epoch.
  public struct Lane: Hashable, Codable, Sendable {
    /// The epoch of the outbox.
    public var epoch: UInt64
    /// The name of the lane in it.
    public var lane: String

    /// Makes a lane, for tests.
    public init(epoch: UInt64, lane: String) { (self.epoch, self.lane) = (epoch, lane) }
  }

  /// The number of the last entry that was accepted, by lane.
  public private(set) var lastNumbers: [Lane: UInt64] = [:]

  /// Makes an inbox that has accepted nothing.
  public init() {}

  /// Makes an inbox in any condition, for tests.
  public init(lastNumbers: [Lane: UInt64]) { self.lastNumbers = lastNumbers }

  /// Records an entry, and returns whether it is to be applied: `false` if it was before. O(1)
  public mutating func accept(_ key: OutboxKey, lane: String = "") -> Bool {
    guard !hasAccepted(key, lane: lane) else { return false }
    lastNumbers[Lane(epoch: key.epoch, lane: lane)] = key.number
    return true
  }

  /// Returns whether an entry, or a later one of its epoch and lane, was accepted. O(1)
  public func hasAccepted(_ key: OutboxKey, lane: String = "") -> Bool {
    key.number <= lastNumbers[Lane(epoch: key.epoch, lane: lane), default: 0]
  }

  /// Forgets an epoch, whose entries would be applied again. For epochs whose outbox is known to be gone. O(n)
  public mutating func forget(epoch: UInt64) {
    lastNumbers = lastNumbers.filter { $0.key.epoch != epoch }
  }
}
