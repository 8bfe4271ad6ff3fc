import Foundation

/// Three tables of a PostgreSQL database: queues, logs and leases.
struct PostgresEngine: Engine {
  private let connections: [PostgresConnection]

  /// - Parameter address: a connection string in the form of libpq.
  init(_ address: String) async throws {
    connections = (0..<4).map { _ in PostgresConnection(address) }
    for statement in Self.schema { _ = try await send(0, statement) }
  }

  private static let schema = [
    "SELECT pg_advisory_lock(29)",  // or two processes would make the tables at once
    """
    CREATE TABLE IF NOT EXISTS queue (partition int, position bigserial, key text UNIQUE, message text,
      PRIMARY KEY (partition, position))
    """,
    "CREATE TABLE IF NOT EXISTS log (partition int, position bigint, message text, PRIMARY KEY (partition, position))",
    """
    CREATE TABLE IF NOT EXISTS lease (partition int PRIMARY KEY, token bigint, since timestamptz, \
    until timestamptz, last bigint)
    """,
    """
    INSERT INTO lease SELECT p, 0, '-infinity', '-infinity', 0 FROM generate_series(0, \(partitionCount - 1)) p
    ON CONFLICT DO NOTHING
    """,
    "SELECT pg_advisory_unlock(29)",
  ]

  func put(_ message: Message, in partition: Int) async throws {
    _ = try await send(
      partition, "INSERT INTO queue (partition, key, message) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      "\(partition)", "\(message.key)", try Content.message(message).text())
  }

  func lease(to worker: String, for time: Duration) async throws -> Lease? {
    let rows = try await send(
      Int.random(in: 0..<partitionCount),
      """
      UPDATE lease SET token = token + 1, since = now(), until = now() + $1::interval WHERE partition =
        (SELECT partition FROM lease l WHERE now() NOT BETWEEN since AND until
          AND EXISTS (SELECT FROM queue q WHERE q.partition = l.partition)
        ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING partition, token
      """, "\(Int(time.seconds * 1000)) ms")
    guard let row = rows.first, let partition = Int(row[0]), let token = Int(row[1]) else { return nil }
    return Lease(partition: partition, token: token)
  }

  func next(of lease: Lease, limit: Int) async throws -> [Queued] {
    try await Self.queued(
      send(
        lease.partition,
        "SELECT position, message FROM queue WHERE partition = $1 ORDER BY position LIMIT \(limit)",
        "\(lease.partition)"))
  }

  func finish(_ messages: [Queued], of lease: Lease) async throws -> Bool {
    // The row of the lease stays locked until the end, so that positions in the log become visible in order. A message
    // that is no longer in the queue was finished by a call whose answer was lost.
    let statement = """
      WITH held AS (
        SELECT last FROM lease WHERE partition = $1::int AND token = $2::bigint FOR UPDATE
      ), taken AS (
        DELETE FROM queue q USING held, json_to_recordset($3::json) AS packed (position bigint, content text)
        WHERE q.partition = $1::int AND q.position = packed.position RETURNING packed.position, content
      ), moved AS (
        INSERT INTO log SELECT $1::int, held.last + row_number() OVER (ORDER BY position), content
        FROM taken, held RETURNING 1
      )
      UPDATE lease SET last = last + (SELECT count(*) FROM moved), until = '-infinity'
      WHERE partition = $1::int AND EXISTS (SELECT FROM held) RETURNING 1
      """
    let packed = String(decoding: try JSONEncoder().encode(messages), as: UTF8.self)
    let rows = try await send(lease.partition, statement, "\(lease.partition)", "\(lease.token)", packed)
    return rows.count == 1
  }

  func packed(in partition: Int, after position: String, limit: Int) async throws -> [Queued] {
    try await Self.queued(
      send(
        partition,
        "SELECT position, message FROM log WHERE partition = $1 AND position > $2 ORDER BY position LIMIT \(limit)",
        "\(partition)", position.isEmpty ? "0" : position))
  }

  func forget(_ partition: Int, upTo position: String) async throws {
    _ = try await send(
      partition, "DELETE FROM log WHERE partition = $1 AND position <= $2", "\(partition)", position)
  }

  // MARK: Statements

  private func send(_ partition: Int, _ statement: String, _ parameters: String...) async throws -> [[String]]
  {
    try await connections[partition % connections.count].send(statement, parameters)
  }

  private static func queued(_ rows: [[String]]) -> [Queued] {
    rows.map { Queued(position: $0[0], content: Content(text: $0[1])) }
  }
}

/// A connection to PostgreSQL, remade after a failure. Statements are sent one after the other.
private final class PostgresConnection: Sendable {
  private let address: String
  private let queue = DispatchQueue(label: "orders.postgres")
  private let link = Box<PostgresLink?>(nil)

  init(_ address: String) { self.address = address }

  func send(_ statement: String, _ parameters: [String]) async throws -> [[String]] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Result {
            let open = try link.value ?? PostgresLink(address)
            link.value = open
            do { return try open.execute(statement, parameters) } catch {
              link.value = nil
              throw error
            }
          })
      }
    }
  }
}
