import Millrace

/// The memory of a store after many things have begun and ended. Every case is also a check, which fails above its
/// limit.
enum Growth {
  static let cases: [BenchmarkCase] =
    MemoryMeter.countsAllocations
    ? [
      BenchmarkCase(name: "growth/waking", unit: "bytes/update") { effort in
        try await wakings(max(2_000, effort.count(80_000)))
      },
      BenchmarkCase(name: "growth/flood", unit: "bytes/update") { effort in
        try await flood(max(2_000, effort.count(80_000)))
      },
    ] + soakCases : []

  private static let soakCases =
    MemoryMeter.resident == nil
    ? []
    : [
      BenchmarkCase(name: "growth/soak", unit: "MB") { effort in
        try await soak(max(100_000, effort.count(10_000_000)), isFull: effort.scale >= 1)
      }
    ]

  /// A component that wakes for each action and rests before the next.
  private static func wakings(_ count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let watcher = Watcher()
    store.connect(watcher, to: \.count)
    for _ in 0..<1_000 {
      store.dispatch(.increment)
      await store.settled()
    }
    let meter = try await MemoryMeter.atRest()
    for _ in 0..<count {
      store.dispatch(.increment)
      await store.settled()
    }
    _ = try await MemoryMeter.atRest()
    let bytes = meter.bytes(per: count)
    try expect("updates", watcher.last, is: 1_000 + count)
    try expect(bytes < 16, "\(bytes) bytes stay of each update")
    return bytes
  }

  /// Dispatches the next action from within each update, so that some component is always due.
  private final class Restless: Component {
    private let made: @Sendable (Int) -> Void
    init(_ made: @escaping @Sendable (Int) -> Void) { self.made = made }
    func update(_ count: Int) async { made(count) }
  }

  /// Keeps components due all the time. Measures the memory of their queue before it first empties.
  private static func flood(_ count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let progress = Lock((updates: 0, bytes: 0.0))
    let meter = try await MemoryMeter.atRest()
    let components = (0..<16).map { _ in
      Restless { [weak store] _ in
        let updates = progress.withLock { progress in
          progress.updates += 1
          return progress.updates
        }
        if updates < count { store?.dispatch(.increment) }
        if updates == count {
          let bytes = meter.bytes(per: count)
          progress.withLock { $0.bytes = bytes }
        }
      }
    }
    for component in components { store.connect(component, to: \.count) }
    await store.settled()
    let bytes = progress.withLock(\.bytes)
    try expect(progress.withLock(\.updates) >= count, "the flood ended early")
    // The limit allows for the components and a full mailbox.
    try expect(bytes < 8 + 64_000 / Double(count), "\(bytes) bytes stay of each update")
    return bytes
  }

  private struct Failing: EffectComponent {
    typealias Action = Counting.Action
    struct Mishap: Error {}
    func requests(in state: Counting) -> Set<Int> { [state.count / 100] }
    func run(_ hundred: Int, send: Send<Counting.Action>) async throws(Mishap) {
      if hundred.isMultiple(of: 2) { throw Mishap() }
    }
    func action(for failure: Mishap, of hundred: Int) -> Counting.Action { .increment }
  }

  @MainActor private final class Display: ViewComponent {
    var props = 0
    nonisolated init() {}
  }

  /// Components, a view, and an effect that fails every second time. Measures the growth of resident memory after the
  /// first tenth.
  private static func soak(_ count: Int, isFull: Bool) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let watchers = (0..<8).map { _ in Watcher() }
    for watcher in watchers { store.connect(watcher, to: \.count) }
    let display = Display()
    store.connect(display, to: \.count)
    store.connect(Failing())
    var (early, most) = (0, 0)
    for tenth in 0..<10 {
      for _ in 0..<(count / 1_000) {
        for _ in 0..<99 { store.dispatch(.increment) }
        await store.send(.increment)
        if tenth % 2 == 0 { await store.settled() }
      }
      await store.settled()
      let resident = MemoryMeter.resident ?? 0
      if tenth == 0 { early = resident }
      most = max(most, resident)
    }
    let growth = Double(most - early) / 1e6
    try expect("latest props", watchers.allSatisfy { $0.last == store.state.count }, is: true)
    try expect(!isFull || growth < 2, "\(growth) MB more are resident than after the first tenth")
    withExtendedLifetime(display) {}
    return growth
  }
}
