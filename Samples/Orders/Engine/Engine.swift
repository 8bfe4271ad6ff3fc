import Foundation
import MillraceStorage

/// The connection between the processes: for each partition a queue of orders for the workers, and a log of packed
/// orders for the warehouse.
///
/// Every function returns once its change is on the engine's disk, and may be called again after a failure.
protocol Engine: Sendable {
  /// Appends an order to the queue of its partition. A repeated call may append it again.
  func put(_ message: Message, in partition: Int) async throws
  /// Takes a partition that has messages and no lease, if there is one. If there is none, writes nothing: idle workers
  /// must not keep the disk of the engine busy.
  func lease(to worker: String, for time: Duration) async throws -> Lease?
  /// The oldest unfinished messages of the lease's partition.
  func next(of lease: Lease, limit: Int) async throws -> [Queued]
  /// Moves messages from the queue to the log, all or none, and gives the lease back without another write to the disk.
  /// If the lease has been lost, so that another worker has a higher token, does neither and returns `false`.
  func finish(_ messages: [Queued], of lease: Lease) async throws -> Bool
  /// The messages of a partition's log after a position; from the beginning if the position is empty.
  func packed(in partition: Int, after position: String, limit: Int) async throws -> [Queued]
  /// Deletes the log up to a position. Its only reader has everything before on its own disk.
  func forget(_ partition: Int, upTo position: String) async throws
}

/// The number of partitions; a worker has one at a time.
let partitionCount = 16

/// An order in transit, with the key that the shop gave it.
struct Message: Hashable, Codable, Sendable {
  var key: OutboxKey
  var order: Order
}

/// A message at its place in a queue or a log.
struct Queued: Hashable, Codable, Sendable {
  var position: String
  var content: Content
}

/// The contents of a place in a queue or a log. Unreadable contents travel like a message, so that they block no
/// later one. The warehouse sets them aside.
enum Content: Hashable, Sendable {
  case message(Message)
  case unreadable(String)

  init(text: String) {
    self =
      (try? JSONDecoder().decode(Message.self, from: Data(text.utf8))).map(Self.message) ?? .unreadable(text)
  }

  var message: Message? { if case .message(let message) = self { message } else { nil } }

  /// The text of the contents.
  func text() throws -> String {
    switch self {
    case .message(let message): String(decoding: try JSONEncoder().encode(message), as: UTF8.self)
    case .unreadable(let text): text
    }
  }
}

extension Content: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self =
      try (try? container.decode(Message.self)).map(Self.message)
      ?? .unreadable(container.decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .message(let message): try message.encode(to: encoder)
    case .unreadable(let text): try text.encode(to: encoder)
    }
  }
}

/// The right to work on a partition.
struct Lease: Codable, Hashable, Sendable {
  var partition: Int
  /// The fencing token. Each lease of a partition has a higher one than the previous lease.
  var token: Int
}

/// An invalid answer of an engine.
struct EngineFailure: Error, CustomStringConvertible {
  var description: String
}
