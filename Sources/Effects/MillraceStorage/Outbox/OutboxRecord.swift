/// The key of a record in the journal of a ``DurableOutbox``.
public enum OutboxRecordKey<Key: Hashable & Sendable>: Hashable, Sendable {
  /// An entry.
  case entry(OutboxKey)
  /// The status of an entry.
  case status(OutboxKey)
  /// A paused lane.
  case paused(String)
  /// The numbers that may have been given to entries.
  case numbers
  /// A value that is kept beside the entries.
  case value(Key)
}

/// A record in the journal of a ``DurableOutbox``.
public enum OutboxRecord<Payload: Hashable & Sendable, Value: Equatable & Sendable>: Equatable, Sendable {
  /// An entry.
  case entry(Payload, lane: String)
  /// The status of an entry that was tried, waits or was rejected.
  case status(OutboxStatus)
  /// The lane is paused.
  case paused
  /// Numbers up to `last` may have been given to entries of the epoch.
  ///
  /// - Parameter adopted: the epoch of the ``FormerOutbox`` whose entries were taken over.
  case numbers(epoch: UInt64, last: UInt64, adopted: UInt64?)
  /// A value that is kept beside the entries.
  case value(Value)
}

extension OutboxRecordKey: Codable where Key: Codable {}
extension OutboxRecord: Hashable where Value: Hashable {}
extension OutboxRecord: Codable where Payload: Codable, Value: Codable {}
