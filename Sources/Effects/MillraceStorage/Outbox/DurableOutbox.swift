import Foundation
import Millrace

/// A queue of entries for another process, and values that belong to them, in one journal. Each entry is delivered at
/// least once, and the entries of one lane in order.
///
/// A reducer appends entries and changes values. The changes of one action are on disk in one step or not at all. A
/// ``JournalEffect`` writes the changes, and a ``DurableOutboxEffect`` delivers the entries. An entry leaves the outbox
/// when its receiver has confirmed it.
///
/// ```swift
/// typealias Shop = DurableOutbox<Order, String, Int>  // orders, and for each customer how many there were
/// ```
///
/// ```swift
/// case .ordered(let order):
///   guard state.shop.isLoaded else { return }  // how many there were is not known yet
///   state.shop[order.customer, default: 0] += 1
///   state.shop.append(order, lane: order.customer)
/// case .outbox(let event): state.shop.reduce(event)
/// case .journal(let event): state.shop.reduce(event)
/// ```
///
/// The program may end at any point. An entry whose confirmation is not on disk is then delivered again, under the same
/// key; a receiver that keeps an ``Inbox`` applies it once. An outbox without values is a `DurableOutbox<Order, Never,
/// Never>`.
///
/// Nothing is delivered before the journal has been loaded. Entries appended before that follow the stored ones. A
/// value set, a key removed or a lane resumed before that replaces what is stored. So use the former value of a key
/// only if ``isLoaded``.
///
/// Keys are unique even if the file is replaced by an older one, for instance from a backup. The numbers begin at the
/// time at which the outbox was made, in microseconds since 1970. If they are not higher than the stored ones, or a
/// part of the file was lost, the outbox begins another epoch. It cannot detect one case: the file is older, and the
/// clock is behind by more than the time that was lost. Call ``beginEpoch(_:)`` then.
///
/// - Complexity: an appended or removed entry costs one record in the file, independently of the length of the queue.
///   Keeps all entries in memory.
public struct DurableOutbox<
  Payload: Hashable & Sendable, Key: Hashable & Sendable, Value: Equatable & Sendable
>:
  Equatable, Sendable
{
  /// An entry: one thing to hand over.
  public typealias Entry = OutboxEntry<Payload>
  /// The unsaved changes.
  public typealias Backlog = JournalBacklog<OutboxRecordKey<Key>, OutboxRecord<Payload, Value>>
  /// The events of the `JournalEffect`.
  public typealias Journal = JournalEvent<OutboxRecordKey<Key>, OutboxRecord<Payload, Value>>
  /// The file.
  public typealias Storage = JournalStorage<OutboxRecordKey<Key>, OutboxRecord<Payload, Value>>
  /// The contents of the file.
  public typealias Stored = StoredEntries<OutboxRecordKey<Key>, OutboxRecord<Payload, Value>>

  /// The contents of the file, by key.
  public typealias Records = [OutboxRecordKey<Key>: OutboxRecord<Payload, Value>]

  /// The unsaved changes: the slice to which a ``JournalEffect`` is connected.
  public internal(set) var backlog = Backlog()
  /// The entries that may be delivered: the slice to which a ``DurableOutboxEffect`` is connected.
  public internal(set) var due = DueEntries<Payload>()
  /// The values that are kept beside the entries, saved or not.
  public internal(set) var values: [Key: Value] = [:]
  /// The files that were found damaged when the journal was loaded. Entries may be missing.
  public internal(set) var damaged: [DamagedFile] = []
  /// The series to which the numbers of new entries belong.
  public internal(set) var epoch: UInt64
  /// The number of the entry that was appended last.
  public internal(set) var lastNumber: UInt64
  var all: [OutboxKey: Entry] = [:]
  var lanes: [String: OutboxLane] = [:]
  var moments: [OutboxKey: Date] = [:]
  /// The file reserves the numbers up to this one, or the next save does.
  var claimed: UInt64 = 0
  /// The names of the commands from outside whose results are on disk, or will be with the next save.
  var taken: Set<String> = []
  /// The epochs of the former outboxes that were taken over.
  var adopted: Set<UInt64> = []
  /// The former outboxes that the load will take over.
  var formers: [FormerOutbox<Payload>] = []
  /// The positions of entries whose position differs from their number.
  var places: [OutboxKey: Int] = [:]

  /// Makes an empty outbox, whose journal a connected ``JournalEffect`` will load.
  ///
  /// - Parameters:
  ///   - epoch: by default a random number, which no other outbox has. Pass one only in tests.
  ///   - lastNumber: new entries get numbers from the next one on. By default the time; pass one only in tests.
  public init(
    epoch: UInt64 = .random(in: .min ... .max),
    lastNumber: UInt64 = UInt64(max(0, Date().timeIntervalSince1970 * 1_000_000))
  ) {
    (self.epoch, self.lastNumber) = (epoch, lastNumber)
  }

  /// Makes an outbox in any condition, for tests. Due entries are in the order of their numbers.
  ///
  /// - Parameter records: the contents of the file when everything is saved.
  public init(
    records: Records, backlog: Backlog, epoch: UInt64, lastNumber: UInt64, damaged: [DamagedFile] = []
  ) {
    self.init(epoch: epoch, lastNumber: lastNumber)
    (self.backlog, self.damaged) = (backlog, damaged)
    fill(records)
    (self.epoch, self.lastNumber) = (epoch, lastNumber)
  }

  /// Whether everything is on disk as it is now.
  public var isSaved: Bool { backlog.isSaved && formers.isEmpty }
  /// Whether the stored entries have been loaded.
  public var isLoaded: Bool { backlog.isLoaded }
  /// The failure of the last load or append to the file, if any. The write is tried again after the next change or
  /// `retry()`.
  public var failure: StorageFailure? { backlog.failure }
  /// The number of entries whose receipt is not known, without rejected ones.
  public var count: Int { all.count - rejected.count }
  /// The keys of the entries that their receiver has rejected. They stay until they are removed or put back.
  public internal(set) var rejected: Set<OutboxKey> = []
  /// All entries with the rejected ones, in the order in which they were appended. O(n log n)
  public var entries: [Entry] { all.values.sorted { isBefore($0.key, $1.key) } }

  /// Returns the entries of a lane in the order of delivery, without rejected ones. O(n) in the length of the lane.
  public func entries(lane: String) -> [Entry] { lanes[lane]?.ordered.compactMap { all[$0] } ?? [] }

  /// Returns an entry with its status; `nil` if it has left the outbox. O(1)
  public func entry(_ key: OutboxKey) -> Entry? { all[key] }

  /// Whether a lane was paused. O(1)
  public func isPaused(lane: String) -> Bool { lanes[lane]?.isPaused ?? false }

  /// The contents of the file when everything is saved, for tests that load it again as a restarted program does. O(n)
  public var records: Records {
    var records: Records = [:]
    for (key, value) in values { records[.value(key)] = .value(value) }
    for (name, lane) in lanes where lane.isPaused { records[.paused(name)] = .paused }
    for (key, entry) in all {
      records[.entry(key)] = .entry(entry.payload, lane: entry.lane, place: places[key])
      if entry.status != OutboxStatus() { records[.status(key)] = .status(entry.status) }
    }
    for epoch in adopted { records[.adopted(epoch)] = .adopted }
    if claimed > 0 { records[.numbers] = numbers(last: claimed) }
    return records
  }

  /// The value of a key. Setting an equal value is no change.
  public subscript(key: Key) -> Value? {
    get { values[key] }
    set {
      guard !isLoaded || values[key] != newValue else { return }
      values[key] = newValue
      if let newValue { backlog.set(.value(newValue), for: .value(key)) } else { backlog.remove(.value(key)) }
    }
  }

  /// The value of a key, or another one if there is none.
  public subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { values[key] ?? value() }
    set { self[key] = newValue }
  }
}

extension DurableOutbox: CustomReflectable {
  /// The parts that the report of a failed test shows.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "records": records, "backlog": backlog, "epoch": epoch, "lastNumber": lastNumber, "damaged": damaged,
      ], displayStyle: .struct)
  }
}

extension DurableOutbox: Hashable where Value: Hashable {}
extension DurableOutbox: Codable where Payload: Codable, Key: Codable, Value: Codable {}
