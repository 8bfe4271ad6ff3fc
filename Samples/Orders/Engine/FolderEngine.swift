import Foundation

/// Files in a folder that the processes of one machine share: the engine that needs nothing installed.
///
/// Each partition has a queue and a log of one line per message, and a lease. A lock file excludes other processes. A
/// message is finished once its line is in the log, so that one write moves it.
struct FolderEngine: Engine {
  private struct LeaseFile: Codable {
    var token = 0
    /// In seconds since 1970.
    var until = 0.0
  }

  /// A line of a log: a message that was at this place of the queue.
  private struct Packed: Codable {
    var line: Int
    var message: Message
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
        var lease = try leaseFile(partition)
        guard lease.until < Date().timeIntervalSince1970 else { return nil }
        lease.token += 1
        lease.until = Date().timeIntervalSince1970 + time.seconds
        try write(lease, partition)
        return lease.token
      }
      if let token { return Lease(partition: partition, token: token) }
    }
    return nil
  }

  func renew(_ lease: Lease, for time: Duration) async throws -> Bool {
    try await locked(lease.partition) {
      var file = try leaseFile(lease.partition)
      guard file.token == lease.token else { return false }
      file.until = Date().timeIntervalSince1970 + time.seconds
      try write(file, lease.partition)
      return true
    }
  }

  func next(of lease: Lease, limit: Int) async throws -> [Queued] {
    try await locked(lease.partition) {
      let log: [Packed] = try LineFile(path("log", lease.partition)).values()
      let first = log.last.map { $0.line + 1 } ?? 0
      let queued: [Message] = try LineFile(path("queue", lease.partition)).values()
      return queued.enumerated().dropFirst(first).prefix(limit).map {
        Queued(position: "\($0.offset)", message: $0.element)
      }
    }
  }

  func finish(_ messages: [Queued], of lease: Lease) async throws -> Bool {
    try await locked(lease.partition) {
      guard try leaseFile(lease.partition).token == lease.token else { return false }
      let file = LineFile(path("log", lease.partition))
      let log: [Packed] = try file.values()
      let first = log.last.map { $0.line + 1 } ?? 0
      let packed = messages.compactMap { queued in
        Int(queued.position).map { Packed(line: $0, message: queued.message) }
      }
      // After a failure that came too late it is called again with what is in the log already.
      try file.append(packed.filter { $0.line >= first })
      return true
    }
  }

  func packed(in partition: Int, after position: String, limit: Int) async throws -> [Queued] {
    let first = Int(position).map { $0 + 1 } ?? 0
    return try await locked(partition) {
      let log: [Packed] = try LineFile(path("log", partition)).values()
      return log.enumerated().dropFirst(first).prefix(limit).map {
        Queued(position: "\($0.offset)", message: $0.element.message)
      }
    }
  }

  func forget(_ partition: Int, upTo position: String) async throws {}  // the files of a sample may grow

  // MARK: Files

  private func path(_ name: String, _ partition: Int) -> String { "\(folder)/\(name)-\(partition)" }

  private func leaseFile(_ partition: Int) throws -> LeaseFile {
    let leases: [LeaseFile] = try LineFile(path("lease", partition)).values()
    return leases.last ?? LeaseFile()
  }

  private func write(_ lease: LeaseFile, _ partition: Int) throws {
    try LineFile(path("lease", partition)).append([lease])
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
