import Foundation
import MillraceStorage

/// What lies between the processes: queues of orders for the workers, and logs of packed orders for the warehouse, one of
/// each for every partition.
///
/// Every function returns once what it says is on the engine's disk, and may be called again after a failure.
protocol Engine: Sendable {
  /// Appends an order to the queue of its partition. A repeated call may append it again.
  func put(_ message: Message, in partition: Int) async throws
  /// Takes a partition that nobody has a lease of, if there is one.
  func lease(to worker: String, for time: Duration) async throws -> Lease?
  /// Prolongs a lease. Returns `false` if it has been lost.
  func renew(_ lease: Lease, for time: Duration) async throws -> Bool
  /// The oldest messages of the lease's partition that are not finished.
  func next(of lease: Lease, limit: Int) async throws -> [Queued]
  /// Moves messages from the queue to the log, all or none. Returns `false`, and moves none, if the lease has been lost:
  /// somebody else has a higher token.
  func finish(_ messages: [Queued], of lease: Lease) async throws -> Bool
  /// The messages of a partition's log after a position; from the beginning if it is empty.
  func packed(in partition: Int, after position: String, limit: Int) async throws -> [Queued]
  /// Lets go of the log up to a position, which its one reader has on its own disk.
  func forget(_ partition: Int, upTo position: String) async throws
}

/// How many partitions there are; a worker has one at a time.
let partitionCount = 16

/// An order on its way, with the key under which the shop has handed it over.
struct Message: Hashable, Codable, Sendable {
  var key: OutboxKey
  var order: Order
}

/// A message at its place in a queue or a log.
struct Queued: Hashable, Codable, Sendable {
  var position: String
  var content: Content
}

/// What is in a queue or a log. What cannot be read goes the way of a message, so that those behind it are not kept, and
/// is set aside at its end.
enum Content: Hashable, Sendable {
  case message(Message)
  case unreadable(String)

  init(text: String) {
    self =
      (try? JSONDecoder().decode(Message.self, from: Data(text.utf8))).map(Self.message) ?? .unreadable(text)
  }

  var message: Message? { if case .message(let message) = self { message } else { nil } }

  /// The text from which it is read.
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
  /// The fencing token: each lease of a partition has a higher one than the one before.
  var token: Int
}

/// An answer of an engine that makes no sense.
struct EngineFailure: Error, CustomStringConvertible {
  var description: String
}
