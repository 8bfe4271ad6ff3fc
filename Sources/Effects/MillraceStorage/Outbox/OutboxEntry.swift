import Foundation
import Millrace

/// An entry of a ``DurableOutbox``: one thing to hand over.
public struct OutboxEntry<Payload: Hashable & Sendable>: Hashable, Sendable, Identifiable {
  /// The name of the entry, which goes to the receiver with it.
  public let key: OutboxKey
  /// The series of entries in which it keeps its place.
  public let lane: String
  /// What is handed over.
  public let payload: Payload
  /// What is known of its delivery.
  public let status: OutboxStatus

  /// Makes an entry, for tests.
  public init(key: OutboxKey, lane: String = "", payload: Payload, status: OutboxStatus = OutboxStatus()) {
    (self.key, self.lane, self.payload, self.status) = (key, lane, payload, status)
  }

  /// The key.
  public var id: OutboxKey { key }
}

/// What is known of the delivery of an entry. It is kept in the journal beside the entry.
public struct OutboxStatus: Codable, Hashable, Sendable {
  /// What an entry waits for. The others of its lane wait behind it.
  public enum Wait: Codable, Hashable, Sendable {
    /// A moment.
    case until(Date)
    /// A decision of the reducer about what the receiver has returned. After a load the entry is delivered again
    /// instead, since nobody knows what was returned.
    case decision
    /// A call of ``DurableOutbox/release(_:)``.
    case release
  }

  /// How many attempts have failed or were returned.
  public var attempts: Int
  /// The description of the last failure, or the receiver's reason for a rejection.
  public var failure: String?
  /// Whether the receiver has rejected the entry.
  public var isRejected: Bool
  /// What the entry waits for, if anything.
  public var wait: Wait?
  /// When the entry is tried again after the decision for which it waits; `nil` for at once.
  public var next: Date?

  /// Makes a status, by default of an entry that was not tried, for tests.
  public init(
    attempts: Int = 0, failure: String? = nil, isRejected: Bool = false, wait: Wait? = nil, next: Date? = nil
  ) {
    (self.attempts, self.failure, self.isRejected) = (attempts, failure, isRejected)
    (self.wait, self.next) = (wait, next)
  }
}

/// The entries of a ``DurableOutbox`` that may be delivered: the slice of a ``DurableOutboxEffect``.
///
/// - Complexity: O(1) for a copy.
public struct DueEntries<Payload: Hashable & Sendable>: Hashable, Sendable {
  /// The first entry of each lane that neither waits nor is paused, if it is on disk, in the order in which they came
  /// to be due.
  public internal(set) var entries = KeyedArray<OutboxEntry<Payload>>()
  /// The earliest moment for which an entry waits.
  public internal(set) var moment: Date?
  /// What is known of the commands from outside; `nil` before the journal is loaded.
  public internal(set) var commands: TakenCommands?

  /// Makes a value, for tests.
  public init(
    entries: KeyedArray<OutboxEntry<Payload>> = [], moment: Date? = nil, commands: TakenCommands? = nil
  ) {
    (self.entries, self.moment, self.commands) = (entries, moment, commands)
  }
}

/// What a ``DurableOutbox`` knows of the commands from outside.
public struct TakenCommands: Codable, Hashable, Sendable {
  /// Whether commands were looked for since the journal was loaded. No entry is delivered before that, where they are.
  public internal(set) var isKnown = false
  /// The names of the commands whose results are on disk.
  public internal(set) var saved: Set<String>

  /// Makes a value, for tests.
  public init(isKnown: Bool = false, saved: Set<String> = []) {
    (self.isKnown, self.saved) = (isKnown, saved)
  }
}

extension OutboxEntry: Encodable where Payload: Encodable {}
extension OutboxEntry: Decodable where Payload: Decodable {}
extension DueEntries: Encodable where Payload: Encodable {}
extension DueEntries: Decodable where Payload: Decodable {}
