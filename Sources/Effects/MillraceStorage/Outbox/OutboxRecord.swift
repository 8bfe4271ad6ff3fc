/// The key of a record in the journal of a ``DurableOutbox``.
public enum OutboxRecordKey<Key: Hashable & Sendable>: Hashable, Sendable {
  /// An entry.
  case entry(OutboxKey)
  /// The status of an entry.
  case status(OutboxKey)
  /// A paused lane.
  case paused(String)
  /// The reserved numbers, which entries may have.
  case numbers
  /// The epoch of a ``FormerOutbox`` whose entries were taken over.
  case adopted(UInt64)
  /// A value that is kept beside the entries.
  case value(Key)
}

/// A record in the journal of a ``DurableOutbox``.
public enum OutboxRecord<Payload: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  /// An entry.
  ///
  /// - Parameter place: its position among all entries, if it differs from its number.
  case entry(Payload, lane: String, place: Int? = nil)
  /// The status of an entry that was tried, waits or was rejected.
  case status(OutboxStatus)
  /// The lane is paused.
  case paused
  /// Entries of the epoch may have numbers up to `last`.
  ///
  /// - Parameter taken: the names of the commands from outside whose results are in the file, until these are removed.
  case numbers(epoch: UInt64, last: UInt64, taken: Set<String>? = nil)
  /// The entries of the former outbox were taken over.
  case adopted
  /// A value that is kept beside the entries.
  case value(Value)
}

extension OutboxRecordKey: Codable where Key: Codable {}
extension OutboxRecord: DatedInFile {}
extension OutboxRecord: Hashable where Value: Hashable {}
extension OutboxRecord: Codable where Payload: Codable, Value: Codable {}
