/// A queue in a saved state of things to hand over to another process: each at least once, and in order per lane.
///
/// A reducer appends entries to it in the same change as whatever else they belong to, and a ``DurableOutboxEffect``
/// delivers them. An entry leaves the outbox when its receiver has confirmed or rejected it.
///
/// ```swift
/// struct Shop: Equatable, Codable, Sendable {
///   var sold = 0
///   var outbox = DurableOutbox<Order>()
/// }
/// ```
///
/// ```swift
/// case .ordered(let order):
///   state.shop.save { shop in
///     shop.sold += 1
///     shop.outbox.append(order, lane: order.customer)
///   }
/// case .outbox(let event): state.shop.save { $0.outbox.reduce(event) }
/// ```
///
/// The program may end at any point: an entry that was delivered and whose confirmation is not on disk is delivered
/// again, under the same key. A receiver that keeps an ``Inbox`` applies it once.
///
/// - Note: Unsuitable for entries that are large or many: the whole outbox is written at each save.
public struct DurableOutbox<Payload: Hashable & Sendable>: Hashable, Sendable {
  /// An entry: one thing to hand over.
  public struct Entry: Hashable, Sendable, Identifiable {
    /// The name of the entry, which goes to the receiver with it.
    public let key: OutboxKey
    /// The series of entries in which it keeps its place.
    public let lane: String
    /// What is handed over.
    public let payload: Payload

    /// Makes an entry, for tests.
    public init(key: OutboxKey, lane: String = "", payload: Payload) {
      (self.key, self.lane, self.payload) = (key, lane, payload)
    }

    /// The key.
    public var id: OutboxKey { key }
  }

  /// An entry that its receiver does not take.
  public struct Rejection: Hashable, Sendable {
    /// The entry.
    public let entry: Entry
    /// What the receiver said.
    public let reason: String

    /// Makes a rejection, for tests.
    public init(entry: Entry, reason: String) { (self.entry, self.reason) = (entry, reason) }
  }

  /// The entries that are not known to be received, in the order in which they were appended.
  public private(set) var entries: [Entry] = []
  /// The entries that their receiver has rejected, oldest first. They are kept until `dismiss(_:)`.
  public private(set) var rejected: [Rejection] = []
  /// The series in which entries are numbered.
  public private(set) var epoch: UInt64
  /// The number of the entry that was appended last in this epoch.
  public private(set) var lastNumber: UInt64 = 0

  /// Makes an empty outbox, which begins an epoch.
  ///
  /// - Parameter epoch: by default a random number, which no other outbox has. Pass one only in tests.
  public init(epoch: UInt64 = .random(in: .min ... .max)) { self.epoch = epoch }

  /// Makes an outbox in any condition, for tests.
  public init(entries: [Entry], rejected: [Rejection] = [], epoch: UInt64, lastNumber: UInt64) {
    (self.entries, self.rejected) = (entries, rejected)
    (self.epoch, self.lastNumber) = (epoch, lastNumber)
  }

  /// Appends an entry. O(1)
  ///
  /// - Parameter lane: entries of one lane are delivered one after the other; those of different lanes side by side.
  ///   Take what needs an order among its entries, such as a customer.
  /// - Returns: the key of the entry.
  @discardableResult
  public mutating func append(_ payload: Payload, lane: String = "") -> OutboxKey {
    lastNumber += 1
    let key = OutboxKey(epoch: epoch, number: lastNumber)
    entries.append(Entry(key: key, lane: lane, payload: payload))
    return key
  }

  /// Begins another epoch, in which numbers start again from 1. Entries keep their keys.
  ///
  /// Call it when the state was loaded from anything but its newest file, as ``StoredValue/Source/previous`` says or a
  /// backup does: the numbers that follow may have been used already in what was lost, and a receiver would take new
  /// entries for old ones.
  ///
  /// - Parameter epoch: by default a random number. In a reducer, take it from the action.
  public mutating func beginEpoch(_ epoch: UInt64 = .random(in: .min ... .max)) {
    (self.epoch, lastNumber) = (epoch, 0)
  }

  /// Forgets a rejected entry. Does nothing for other entries. O(n)
  public mutating func dismiss(_ key: OutboxKey) { rejected.removeAll { $0.entry.key == key } }

  /// Appends a rejected entry again, at the end of its lane and under a new key. Does nothing for other entries. O(n)
  public mutating func retry(_ key: OutboxKey) {
    guard let entry = rejected.first(where: { $0.entry.key == key })?.entry else { return }
    dismiss(key)
    append(entry.payload, lane: entry.lane)
  }

  /// Applies an event of the ``DurableOutboxEffect``. O(n) in the number of entries.
  public mutating func reduce(_ event: DurableOutboxEvent) {
    switch event {
    case .confirmed(let key): entries.removeAll { $0.key == key }
    case .rejected(let key, let reason):
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
      rejected.append(Rejection(entry: entries.remove(at: index), reason: reason))
    case .failed: break  // the run tries again
    }
  }

  /// The oldest entries of each lane, oldest first, at most `limit`.
  func due(limit: Int) -> [Entry] {
    var (lanes, due): (Set<String>, [Entry]) = ([], [])
    for entry in entries {
      if due.count == limit { break }
      if lanes.insert(entry.lane).inserted { due.append(entry) }
    }
    return due
  }
}

extension DurableOutbox: Encodable where Payload: Encodable {}
extension DurableOutbox: Decodable where Payload: Decodable {}
extension DurableOutbox.Entry: Encodable where Payload: Encodable {}
extension DurableOutbox.Entry: Decodable where Payload: Decodable {}
extension DurableOutbox.Rejection: Encodable where Payload: Encodable {}
extension DurableOutbox.Rejection: Decodable where Payload: Decodable {}

/// An event of a ``DurableOutboxEffect``. Pass it to ``DurableOutbox/reduce(_:)``.
public enum DurableOutboxEvent: Codable, Hashable, Sendable {
  /// The receiver has the entry.
  case confirmed(OutboxKey)
  /// The receiver will never take the entry.
  case rejected(OutboxKey, reason: String)
  /// An attempt to deliver the entry has failed, with this description of its error. Another one follows.
  case failed(OutboxKey, String)
}
