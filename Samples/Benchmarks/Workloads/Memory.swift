import Millrace

/// The heap memory per item, without the user's own objects, which are made before.
enum Memory {
  static let cases: [BenchmarkCase] =
    MemoryMeter.countsAllocations
    ? [
      BenchmarkCase(name: "memory/component", unit: "bytes") { effort in
        try await components(effort.count(100_000))
      },
      BenchmarkCase(name: "memory/component-own-slice", unit: "bytes") { effort in
        try await componentsOnSlices(min(effort.count(10_000), Grid.counters.count))
      },
      BenchmarkCase(name: "memory/store", unit: "bytes") { effort in
        try await stores(effort.count(10_000), used: false)
      },
      BenchmarkCase(name: "memory/store-used", unit: "bytes") { effort in
        try await stores(effort.count(10_000), used: true)
      },
      BenchmarkCase(name: bareTask, unit: "bytes") { effort in
        try await tasks(effort.count(10_000))
      },
      BenchmarkCase(name: "memory/run", unit: "bytes", baseline: [bareTask]) { effort in
        try await runs(effort.count(10_000))
      },
    ] : []

  private static let bareTask = "baseline/memory-task"

  /// Connected components on one slice, after their first props.
  private static func components(_ count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let watchers = (0..<count).map { _ in Watcher() }
    let meter = try await MemoryMeter.atRest()
    for watcher in watchers { store.connect(watcher, to: \.count) }
    await store.settled()
    let bytes = try await meter.bytesAtRest(per: count)
    try expect("components connected", store.activity.entries.count, is: count)
    try expect("first props", watchers.reduce(0) { $0 + $1.deliveries }, is: count)
    return bytes
  }

  /// Connected components, each on its own slice, after their first props.
  private static func componentsOnSlices(_ count: Int) async throws -> Double {
    let store = Store(initialState: Grid(), reduce: Grid.reduce)
    let watchers = (0..<count).map { _ in Watcher() }
    let counters = Grid.counters
    let meter = try await MemoryMeter.atRest()
    for (watcher, counter) in zip(watchers, counters) { store.connect(watcher, to: counter.keyPath) }
    await store.settled()
    let bytes = try await meter.bytesAtRest(per: count)
    try expect("components connected", store.activity.entries.count, is: count)
    try expect("first props", watchers.reduce(0) { $0 + $1.deliveries }, is: count)
    return bytes
  }

  /// Stores without connections: new ones, or idle ones after an action.
  private static func stores(_ count: Int, used: Bool) async throws -> Double {
    var stores: [Store<Counting, Counting.Action>] = []
    stores.reserveCapacity(count)
    let meter = try await MemoryMeter.atRest()
    for _ in 0..<count { stores.append(Store(initialState: Counting(), reduce: Counting.reduce)) }
    if used {
      for store in stores { store.dispatch(.increment) }
      for store in stores { await store.settled() }
    }
    let bytes = try await meter.bytesAtRest(per: count)
    try expect("actions reduced", stores.reduce(0) { $0 + $1.state.count }, is: used ? count : 0)
    return bytes
  }

  // MARK: Runs

  /// Asks for a number of runs, each of which waits at a gate.
  private struct Waiting: EffectComponent {
    let gate: Gate
    func requests(in state: Counting) -> Set<Int> { Set(0..<state.count) }
    func run(_ request: Int, send: Send<Counting.Action>) async { await gate.wait() }
  }

  /// Running effects, each suspended in its body.
  private static func runs(_ count: Int) async throws -> Double {
    let gate = Gate(capacity: count)
    let store = Store(initialState: Counting(count: 0), options: StoreOptions()) {
      (state: inout Counting, _: Counting.Action) in state.count = count
    }
    store.connect(Waiting(gate: gate))
    await store.settled()
    let meter = try await MemoryMeter.atRest()
    store.dispatch(.increment)
    await gate.isReached(by: count)
    let bytes = meter.bytes(per: count)
    gate.open()
    await store.settled()
    try expect("runs", gate.arrivals, is: count)
    return bytes
  }

  /// Unowned tasks that wait at a gate.
  private static func tasks(_ count: Int) async throws -> Double {
    let gate = Gate(capacity: count)
    let meter = try await MemoryMeter.atRest()
    for _ in 0..<count { Task.detached { await gate.wait() } }
    await gate.isReached(by: count)
    let bytes = meter.bytes(per: count)
    gate.open()
    try expect("tasks", gate.arrivals, is: count)
    return bytes
  }
}
