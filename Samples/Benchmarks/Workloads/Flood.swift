import Millrace

/// Floods of actions with a slow component. Measures the memory that the process keeps beyond that after the first
/// flood.
enum Flood {
  static let cases: [BenchmarkCase] =
    MemoryMeter.resident == nil
    ? []
    : [
      BenchmarkCase(name: "flood/resident-growth", unit: "bytes") { effort in
        try await growth(floods: 5, actions: effort.count(200_000))
      }
    ]

  /// A component that yields to other tasks many times before its update returns.
  private final class Slow: Component, @unchecked Sendable {  // see `Watcher`
    private(set) var deliveries = 0
    private(set) var last = 0

    func update(_ props: Int) async {
      for _ in 0..<100 { await Task.yield() }
      deliveries += 1
      last = props
    }
  }

  private static func growth(floods: Int, actions: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let slow = Slow()
    store.connect(slow, to: \.count)
    var resident = 0
    for flood in 0...floods {
      for _ in 0..<actions { store.dispatch(.increment) }
      await store.settled()
      if flood == 0 { resident = MemoryMeter.resident ?? 0 }
    }
    let growth = (MemoryMeter.resident ?? 0) - resident
    let sent = actions * (floods + 1)
    try expect("actions reduced", store.state.count, is: sent)
    try expect("latest props", slow.last, is: sent)
    try expect(slow.deliveries < sent, "the slow component was given every one of \(sent) values")
    return Double(growth)
  }
}
