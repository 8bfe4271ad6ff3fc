/// A durable outbox of former versions of Millrace: a part of a value with a file of its own.
///
/// To import one, give this type to the property of the stored value that was an outbox. Load the file, and pass the
/// outbox to ``DurableOutbox/adopt(_:)``:
///
/// ```swift
/// struct FormerShop: Codable, Equatable, Sendable { var outbox: FormerOutbox<Order> }
/// ```
///
/// ```swift
/// case .found(let former): state.shop.adopt(former.outbox)
/// ```
///
/// Remove the file when the outbox is saved. If the program ends before that, the next load does not adopt the entries
/// a second time.
public struct FormerOutbox<Payload: Hashable & Sendable>: Hashable, Sendable {
  /// An entry.
  public struct Entry: Hashable, Sendable {
    /// The name of the entry, which it keeps.
    public var key: OutboxKey
    /// The name of the lane, whose entries are delivered in order.
    public var lane: String
    /// What is handed over.
    public var payload: Payload

    /// Makes an entry, for tests.
    public init(key: OutboxKey, lane: String, payload: Payload) {
      (self.key, self.lane, self.payload) = (key, lane, payload)
    }
  }

  /// An entry that its receiver did not take.
  public struct Rejection: Hashable, Sendable {
    /// The entry.
    public var entry: Entry
    /// The receiver's reason.
    public var reason: String

    /// Makes a rejection, for tests.
    public init(entry: Entry, reason: String) { (self.entry, self.reason) = (entry, reason) }
  }

  /// The entries that were not known to be received, in their order.
  public var entries: [Entry]
  /// The entries that their receiver has rejected.
  public var rejected: [Rejection]
  /// The series to which the numbers of the entries belong.
  public var epoch: UInt64
  /// The number of the entry that was appended last.
  public var lastNumber: UInt64

  /// Makes an outbox, for tests.
  public init(entries: [Entry], rejected: [Rejection] = [], epoch: UInt64, lastNumber: UInt64) {
    (self.entries, self.rejected) = (entries, rejected)
    (self.epoch, self.lastNumber) = (epoch, lastNumber)
  }
}

extension FormerOutbox: Encodable where Payload: Encodable {}
extension FormerOutbox: Decodable where Payload: Decodable {}
extension FormerOutbox.Entry: Encodable where Payload: Encodable {}
extension FormerOutbox.Entry: Decodable where Payload: Decodable {}
extension FormerOutbox.Rejection: Encodable where Payload: Encodable {}
extension FormerOutbox.Rejection: Decodable where Payload: Decodable {}
