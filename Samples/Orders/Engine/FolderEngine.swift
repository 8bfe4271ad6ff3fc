import Foundation

/// Files in a folder that the processes of one machine share. This engine needs no installation.
///
/// Each partition has a queue and a log with a line for each message, and leases. A lock file excludes other
/// processes. A message is finished once its line is in the log, so that a single write moves it. Leases need no
/// `fsync`: a failure of the machine loses them, and ends every process that holds one.
struct FolderEngine: Engine {
  private struct LeaseLine: Codable {
    var token = 0
    /// The beginning and end of its validity, in seconds since 1970. A lease from a clock that is ahead is not valid
    /// yet.
    var from = 0.0
    var until = 0.0
  }

  /// A line of a log: a message, and its place in the queue.
  private struct Packed: Codable {
    var line: Int
    var message: Content
  }

  let folder: String
  private let queue = DispatchQueue(label: "orders.folder", attributes: .concurrent)

  init(_ folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func put(_ message: Message, in partition: Int) async throws {
    try await locked(partition) { try LineFile(path("queue", partition)).append([message]) }
  }

  func lease(to worker: String, for time: Duration) async throws -> Lease? {
    for partition in (0..<partitionCount).shuffled() {
      let token: Int? = try await locked(partition) {
        let file = try LineFile(path("lease", partition))
        let leases = try file.lines()
        let (last, now) = (Self.last(of: leases), Date().timeIntervalSince1970)
        if last.from <= now, now <= last.until { return nil }
        if try unfinished(in: partition).isEmpty { return nil }
        // Higher than the token of any line, even of one that cannot be read.
        let token = leases.count + 1
        try file.append([LeaseLine(token: token, from: now, until: now + time.seconds)], isDurable: false)
        return token
      }
      if let token { return Lease(partition: partition, token: token) }
    }
    return nil
  }

  func next(of lease: Lease, limit: Int) async throws -> [Queued] {
    try await locked(lease.partition) {
      try unfinished(in: lease.partition).prefix(limit).map {
        Queued(position: "\($0.offset)", content: Content(text: $0.element))
      }
    }
  }

  func finish(_ messages: [Queued], of lease: Lease) async throws -> Bool {
    try await locked(lease.partition) {
      let leases = try LineFile(path("lease", lease.partition))
      guard try Self.last(of: leases.lines()).token == lease.token else { return false }
      let file = try LineFile(path("log", lease.partition))
      let first = try firstUnfinished(file)
      let packed = messages.compactMap { queued in
        Int(queued.position).map { Packed(line: $0, message: queued.content) }
      }
      // A call repeated after a failure has messages that are already in the log.
      try file.append(packed.filter { $0.line >= first })
      try leases.append([LeaseLine(token: lease.token)], isDurable: false)
      return true
    }
  }

  func packed(in partition: Int, after position: String, limit: Int) async throws -> [Queued] {
    let first = Int(position).map { $0 + 1 } ?? 0
    return try await locked(partition) {
      try LineFile(path("log", partition)).lines().enumerated().dropFirst(first).prefix(limit).map {
        let packed: Packed? = LineFile.value($0.element)
        return Queued(position: "\($0.offset)", content: packed?.message ?? .unreadable($0.element))
      }
    }
  }

  /// What waits in a folder, in words. Takes no locks and creates nothing.
  static func waiting(in folder: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw EngineFailure(description: "there is no folder \(folder)")
    }
    func lines(_ name: String) throws -> [String] {
      let path = "\(folder)/\(name)"
      return FileManager.default.fileExists(atPath: path) ? try LineFile(path).lines() : []
    }
    return try (0..<partitionCount).compactMap { partition in
      let (queue, log) = (try lines("queue-\(partition)"), try lines("log-\(partition)"))
      if queue.isEmpty { return nil }
      let packed = log.reversed().lazy.compactMap { (line) -> Packed? in LineFile.value(line) }.first
      let waiting = queue.dropFirst(packed.map { $0.line + 1 } ?? 0)
      let unreadable = waiting.count { Content(text: $0).message == nil }
      let isLeased =
        try last(of: lines("lease-\(partition)")).until >= Date().timeIntervalSince1970 ? ", leased" : ""
      return
        "partition \(partition): \(waiting.count) waiting, \(unreadable) unreadable, \(log.count) packed\(isLeased)"
    }
  }

  func forget(_ partition: Int, upTo position: String) async throws {}  // the files of a sample may grow

  // MARK: Files

  private func path(_ name: String, _ partition: Int) -> String { "\(folder)/\(name)-\(partition)" }

  private static func last(of leases: [String]) -> LeaseLine {
    leases.last.flatMap(LineFile.value) ?? LeaseLine()
  }

  /// The lines of a queue that are not in its log, with their numbers.
  private func unfinished(in partition: Int) throws -> [(offset: Int, element: String)] {
    let first = try firstUnfinished(LineFile(path("log", partition)))
    return try Array(LineFile(path("queue", partition)).lines().enumerated().dropFirst(first))
  }

  /// The first line of a queue that is not in its log. If a line of the log cannot be read, its message is finished
  /// again; the reader of the log accepts it once.
  private func firstUnfinished(_ log: LineFile) throws -> Int {
    try log.lines().reversed().lazy.compactMap { (line) -> Packed? in LineFile.value(line) }.first
      .map { $0.line + 1 } ?? 0
  }

  private func locked<Result: Sendable>(
    _ partition: Int, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Swift.Result {
            let file = try OpenFile(path("lock", partition))
            try file.lock()
            return try body()
          })
      }
    }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
