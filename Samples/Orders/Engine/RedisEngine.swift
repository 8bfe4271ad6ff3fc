import Foundation

/// Streams of a Redis server: a queue with a consumer group, and a log, for each partition.
///
/// The server must write its append-only file at each command (`appendonly yes`, `appendfsync always`). Otherwise an
/// acknowledged order can be lost with the server.
struct RedisEngine: Engine {
  private let connections: [RespConnection]

  init(port: UInt16) async throws {
    connections = (0..<4).map { _ in RespConnection(port: port) }
    for partition in 0..<partitionCount {
      do {
        _ = try await send(partition, "XGROUP", "CREATE", queue(partition), "workers", "0", "MKSTREAM")
      } catch let error as RespError where error.description.hasPrefix("BUSYGROUP") {}
    }
  }

  func put(_ message: Message, in partition: Int) async throws {
    _ = try await send(partition, "XADD", queue(partition), "*", "m", try Content.message(message).text())
  }

  func lease(to worker: String, for time: Duration) async throws -> Lease? {
    for partition in (0..<partitionCount).shuffled() {
      // The token rises whoever gets the lease.
      let script = """
        if redis.call('exists', KEYS[1]) == 1 then return 0 end
        local token = redis.call('incr', KEYS[2])
        redis.call('set', KEYS[1], token, 'PX', ARGV[1])
        return token
        """
      let answer = try await send(
        partition, "EVAL", script, "2", lease(partition), "orders:token:\(partition)", Self.milliseconds(time)
      )
      if let token = answer.number, token > 0 { return Lease(partition: partition, token: token) }
    }
    return nil
  }

  func renew(_ lease: Lease, for time: Duration) async throws -> Bool {
    let script = """
      if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
      return redis.call('pexpire', KEYS[1], ARGV[2])
      """
    return try await send(
      lease.partition, "EVAL", script, "1", self.lease(lease.partition), "\(lease.token)",
      Self.milliseconds(time)
    ).number == 1
  }

  func next(of lease: Lease, limit: Int) async throws -> [Queued] {
    // First the unfinished messages of an earlier owner of the partition, then new ones.
    for from in ["0", ">"] {
      let answer = try await send(
        lease.partition, "XREADGROUP", "GROUP", "workers", "owner", "COUNT", "\(limit)", "STREAMS",
        queue(lease.partition), from)
      let queued = Self.queued(answer.list.first?.list.last?.list ?? [])
      if !queued.isEmpty { return queued }
    }
    return []
  }

  func finish(_ messages: [Queued], of lease: Lease) async throws -> Bool {
    // A message that is no longer pending was finished by a call whose answer was lost.
    let script = """
      if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
      for i = 2, #ARGV, 2 do
        if redis.call('xack', KEYS[2], 'workers', ARGV[i]) == 1 then
          redis.call('xdel', KEYS[2], ARGV[i])
          redis.call('xadd', KEYS[3], '*', 'm', ARGV[i + 1])
        end
      end
      return 1
      """
    let messages = try messages.flatMap { [$0.position, try $0.content.text()] }
    let keys = [self.lease(lease.partition), queue(lease.partition), log(lease.partition)]
    return try await connections[lease.partition % connections.count]
      .send(["EVAL", script, "3"] + keys + ["\(lease.token)"] + messages).number == 1
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

  // MARK: Words

  private func queue(_ partition: Int) -> String { "orders:queue:\(partition)" }
  private func log(_ partition: Int) -> String { "orders:log:\(partition)" }
  private func lease(_ partition: Int) -> String { "orders:lease:\(partition)" }

  private func send(_ partition: Int, _ words: String...) async throws -> RespValue {
    try await connections[partition % connections.count].send(words)
  }

  private static func milliseconds(_ time: Duration) -> String { "\(max(1, Int(time.seconds * 1000)))" }

  private static func queued(_ entries: [RespValue]) -> [Queued] {
    entries.compactMap { entry in
      entry.list.first?.text.map {
        Queued(position: $0, content: Content(text: entry.list.last?.list.last?.text ?? ""))
      }
    }
  }
}
