import MillraceStorage

/// Passes orders through an engine without processes, stores or files. Measures the engine alone.
struct BareLoop {
  let engine: any Engine
  let orders: Int
  let workers: Int

  /// Returns the number of orders a second.
  func run() async throws -> Double {
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<workers {
        group.addTask { try await work(worker) }
      }
      try await group.waitForAll()
    }
    return Double(orders) / start.duration(to: .now).seconds
  }

  /// Puts, takes, finishes and reads the orders of its partitions, one after the other.
  private func work(_ worker: Int) async throws {
    guard let lease = try await engine.lease(to: "bare \(worker)", for: .seconds(600)) else { return }
    var position = ""
    for number in 1...max(1, orders / workers) {
      let order = Order(customer: "customer \(worker)", number: number)
      let key = OutboxKey(epoch: UInt64(worker), number: UInt64(number))
      try await engine.put(Message(key: key, order: order), in: lease.partition)
      let queued = try await engine.next(of: lease, limit: 1)
      guard try await engine.finish(queued, of: lease) else { return }
      position =
        try await engine.packed(in: lease.partition, after: position, limit: 1).last?.position ?? position
    }
  }
}
