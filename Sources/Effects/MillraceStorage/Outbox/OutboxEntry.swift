import Foundation
import Millrace

/// An entry of a ``DurableOutbox``: one payload to deliver.
public struct OutboxEntry<Payload: Hashable & Sendable>: Hashable, Sendable, Identifiable {
  /// The name of the entry. The receiver gets it with the entry.
  public let key: OutboxKey
  /// The name of the lane, whose entries are delivered in order.
  public let lane: String
  /// The content to deliver.
  public let payload: Payload
  /// The state of its delivery.
  public let status: OutboxStatus

  /// Makes an entry, for tests.
  public init(key: OutboxKey, lane: String = "", payload: Payload, status: OutboxStatus = OutboxStatus()) {
    (self.key, self.lane, self.payload, self.status) = (key, lane, payload, status)
  }

  /// The key.
  public var id: OutboxKey { key }
}

/// The state of the delivery of an entry. It is kept in the journal beside the entry.
public struct OutboxStatus: Codable, Hashable, Sendable {
  /// The reason why an entry waits. The entries behind it in its lane wait too.
  public enum Wait: Codable, Hashable, Sendable {
    /// A moment.
    case until(Date)
    /// A decision of the reducer about what the receiver has returned. After a load, the entry is delivered again
    /// instead, since the answer is lost.
    case decision
    /// A call of ``DurableOutbox/release(_:)``.
    case release
  }

  /// The number of attempts that have failed or were returned.
  public var attempts: Int
  /// The description of the last failure, or the receiver's reason for a rejection.
  public var failure: String?
  /// Whether the receiver has rejected the entry.
  public var isRejected: Bool
  /// The reason why the entry waits; `nil` if it does not wait.
  public var wait: Wait?
  /// When the entry is tried again after the reducer's decision; `nil` for at once.
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
  /// The first entry of each lane that neither waits nor is paused, if it is on disk, in the order in which they became
  /// due.
  public internal(set) var entries = KeyedArray<OutboxEntry<Payload>>()
  /// The earliest moment for which an entry waits.
  public internal(set) var moment: Date?
  /// The state of the commands from outside; `nil` before the journal is loaded.
  public internal(set) var commands: TakenCommands?

  /// Makes a value, for tests.
  public init(
    entries: KeyedArray<OutboxEntry<Payload>> = [], moment: Date? = nil, commands: TakenCommands? = nil
  ) {
    (self.entries, self.moment, self.commands) = (entries, moment, commands)
  }
}

/// The state of the commands from outside in a ``DurableOutbox``.
public struct TakenCommands: Codable, Hashable, Sendable {
  /// Whether the effect has looked for commands since the journal was loaded. An effect that takes up commands delivers
  /// no entry before that.
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
