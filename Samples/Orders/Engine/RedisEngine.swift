import Foundation

/// Streams of a Redis server: a queue and a log for each partition.
///
/// The server must write its append-only file at each command (`appendonly yes`, `appendfsync always`). Otherwise an
/// acknowledged order can be lost with the server.
struct RedisEngine: Engine {
  private let connections: [RespConnection]

  init(port: UInt16) async throws {
    connections = (0..<4).map { _ in RespConnection(port: port) }
    _ = try await send(0, "PING")  // throws while the server starts
  }

  func put(_ message: Message, in partition: Int) async throws {
    _ = try await send(partition, "XADD", queue(partition), "*", "m", try Content.message(message).text())
  }

  func lease(to worker: String, for time: Duration) async throws -> Lease? {
    // The token rises with each lease of its partition.
    let script = """
      for i = 1, #KEYS, 3 do
        if redis.call('xlen', KEYS[i]) > 0 and redis.call('exists', KEYS[i + 1]) == 0 then
          local token = redis.call('incr', KEYS[i + 2])
          redis.call('set', KEYS[i + 1], token, 'PX', ARGV[1])
          return {(i - 1) / 3, token}
        end
      end
      return {}
      """
    let partitions = (0..<partitionCount).shuffled()
    let keys = partitions.flatMap(keys)
    let words = ["EVAL", script, "\(keys.count)"] + keys + ["\(max(1, Int(time.seconds * 1000)))"]
    let answer = try await send(partitions[0], words).list
    guard let index = answer.first?.number, let token = answer.last?.number else { return nil }
    return Lease(partition: partitions[index], token: token)
  }

  func next(of lease: Lease, limit: Int) async throws -> [Queued] {
    Self.queued(
      try await send(lease.partition, "XRANGE", queue(lease.partition), "-", "+", "COUNT", "\(limit)").list)
  }

  func finish(_ messages: [Queued], of lease: Lease) async throws -> Bool {
    // A message that is no longer in the queue was finished by a call whose answer was lost.
    let script = """
      if redis.call('get', KEYS[3]) ~= ARGV[1] then return 0 end
      for i = 2, #ARGV, 2 do
        if redis.call('xdel', KEYS[1], ARGV[i]) == 1 then redis.call('xadd', KEYS[4], '*', 'm', ARGV[i + 1]) end
      end
      redis.call('del', KEYS[2])
      return 1
      """
    let keys = keys(lease.partition) + [log(lease.partition)]
    let messages = try messages.flatMap { [$0.position, try $0.content.text()] }
    return try await send(lease.partition, ["EVAL", script, "4"] + keys + ["\(lease.token)"] + messages)
      .number == 1
  }

  func packed(in partition: Int, after position: String, limit: Int) async throws -> [Queued] {
    let start = position.isEmpty ? "-" : "(\(position)"
    return Self.queued(
      try await send(partition, "XRANGE", log(partition), start, "+", "COUNT", "\(limit)").list)
  }

  func forget(_ partition: Int, upTo position: String) async throws {
    // Deletes everything before the position, but not the position itself.
    _ = try await send(partition, "XTRIM", log(partition), "MINID", position)
  }

  // MARK: Names and commands

  private func queue(_ partition: Int) -> String { "orders:queue:\(partition)" }
  private func log(_ partition: Int) -> String { "orders:log:\(partition)" }
  private func keys(_ partition: Int) -> [String] {
    [queue(partition), "orders:lease:\(partition)", "orders:token:\(partition)"]
  }

  private func send(_ partition: Int, _ words: String...) async throws -> RespValue {
    try await send(partition, words)
  }

  private func send(_ partition: Int, _ words: [String]) async throws -> RespValue {
    try await connections[partition % connections.count].send(words)
  }

  private static func queued(_ entries: [RespValue]) -> [Queued] {
    entries.compactMap { entry in
      entry.list.first?.text.map {
        Queued(position: $0, content: Content(text: entry.list.last?.list.last?.text ?? ""))
      }
    }
  }
}
