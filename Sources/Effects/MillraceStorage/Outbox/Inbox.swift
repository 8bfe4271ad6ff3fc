/// Records which entries of ``DurableOutbox``es a receiver has applied. Keep it in the saved value that the entries
/// change, so that both are on disk in one step.
///
/// ```swift
/// case .delivered(let order, let key):
///   state.warehouse.save { warehouse in
///     if warehouse.inbox.accept(key, lane: order.customer) { warehouse.packed.append(order) }
///   }
/// ```
///
/// Entries of one lane arrive in order, so that one number for each lane is enough: an entry counts as applied if it or
/// a later one of its epoch and lane was accepted. An entry that its sender has replaced in place is accepted again,
/// as a newer revision. Confirm an entry after the value that records it is on disk.
///
/// - Note: Unsuitable if entries of one lane can overtake each other on their way. An overtaken entry would count as
///   applied. Use a ``Ledger`` then, which remembers keys.
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
  /// The revision of that entry, by lane, where it is not 0.
  public private(set) var lastRevisions: [Lane: UInt64]?

  /// Makes an inbox that has accepted nothing.
  public init() {}

  /// Makes an inbox in any condition, for tests.
  public init(lastNumbers: [Lane: UInt64], lastRevisions: [Lane: UInt64]? = nil) {
    (self.lastNumbers, self.lastRevisions) = (lastNumbers, lastRevisions)
  }

  /// Records an entry. Returns whether to apply it: `false` if it was accepted before. O(1)
  public mutating func accept(_ key: OutboxKey, lane: String = "") -> Bool {
    guard !hasAccepted(key, lane: lane) else { return false }
    let lane = Lane(epoch: key.epoch, lane: lane)
    lastNumbers[lane] = key.number
    setRevision(key.revision, of: lane)
    return true
  }

  /// Returns whether an entry, or a later one of its epoch and lane, was accepted. O(1)
  public func hasAccepted(_ key: OutboxKey, lane: String = "") -> Bool {
    let lane = Lane(epoch: key.epoch, lane: lane)
    guard let number = lastNumbers[lane] else { return false }
    return (key.number, key.revision) <= (number, lastRevisions?[lane] ?? 0)
  }

  /// Forgets an epoch. Its entries would be applied again, so call it only if the outbox of the epoch no longer exists.
  /// O(n)
  public mutating func forget(epoch: UInt64) {
    for lane in lastNumbers.keys where lane.epoch == epoch {
      lastNumbers[lane] = nil
      setRevision(0, of: lane)
    }
  }

  /// Sets a revision. An empty dictionary becomes `nil`, so that inboxes with equal contents are equal and encode
  /// equally.
  private mutating func setRevision(_ revision: UInt64, of lane: Lane) {
    var revisions = lastRevisions ?? [:]
    lastRevisions = nil
    revisions[lane] = revision == 0 ? nil : revision
    if !revisions.isEmpty { lastRevisions = revisions }
  }
}
