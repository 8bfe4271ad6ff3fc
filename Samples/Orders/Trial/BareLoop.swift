import MillraceStorage

/// Passes orders through an engine without processes, stores or files. Measures the engine alone.
struct BareLoop {
  let engine: any Engine
  let orders: Int
  let workers: Int

  /// Returns the number of orders a second.
  func run() async throws -> Double {
    let start = ContinuousClock.now
    var leases: [Lease] = []
    // Only a partition with messages is leased: the first order of each loop comes before its lease.
    for partition in 0..<min(workers, partitionCount) {
      try await put(1, in: partition)
      if let lease = try await engine.lease(to: "bare", for: .seconds(600)) { leases.append(lease) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lease in leases {
        group.addTask { try await work(on: lease) }
      }
      try await group.waitForAll()
    }
    return Double(orders) / start.duration(to: .now).seconds
  }

  /// Puts, takes, finishes and reads the orders of a partition, one after the other.
  private func work(on lease: Lease) async throws {
    var position = ""
    for number in 1...max(1, orders / workers) {
      if number > 1 { try await put(number, in: lease.partition) }
      let queued = try await engine.next(of: lease, limit: 1)
      // No loop takes another lease, so that this token stays the newest.
      guard try await engine.finish(queued, of: lease) else { return }
      position =
        try await engine.packed(in: lease.partition, after: position, limit: 1).last?.position ?? position
    }
  }

  private func put(_ number: Int, in partition: Int) async throws {
    let key = OutboxKey(epoch: UInt64(partition), number: UInt64(number))
    try await engine.put(
      Message(key: key, order: Order(customer: "customer \(partition)", number: number)), in: partition)
  }
}
