import Millrace

/// How the cost of one item grows with the number of items. Every case is also a check, which fails above its limit in
/// a full run. A sample is the cost of one among many, divided by the cost of one among few.
enum Scaling {
  static let cases = [
    check("scaling/suspended-components", few: 250, many: 4_000, limit: 3, suspended),
    check("scaling/settling-runs", few: 50, many: 400, limit: 4, settling),
    check("scaling/finished-waiters", few: 500, many: 4_000, limit: 4, finished),
    check("scaling/views-in-scopes", few: 1_000, many: 16_000, limit: 2, views),
    check("scaling/dead-views", few: 1_000, many: 16_000, limit: 4, deadViews),
    check("scaling/observer-gone", few: 0, many: 1, limit: 2, observerGone),
    BenchmarkCase(name: "scaling/reader-beside-shutdown", unit: "ms") { effort in
      try await reader(besideShutdownOf: effort.count(100_000))
    },
  ]

  static func check(
    _ name: String, few: Int, many: Int, limit: Double,
    _ cost: @escaping @Sendable (Int) async throws -> Double
  ) -> BenchmarkCase {
    BenchmarkCase(name: name, unit: "times") { effort in
      if effort.scale < 1 { return try await cost(many == 1 ? 1 : many / 8) }
      var (low, high) = (Double.infinity, Double.infinity)
      for _ in 0..<3 {
        low = min(low, try await cost(few))
        high = min(high, try await cost(many))
      }
      try expect(high / low < limit, "\(many) cost \(high / low) times as much each as \(few)")
      return high / low
    }
  }

  private final class Suspended: Component {
    let gate: Gate
    init(_ gate: Gate) { self.gate = gate }
    func update(_ count: Int) async { await gate.wait() }
  }

  /// Actions beside components that are suspended in their updates and whose slice does not change.
  private static func suspended(_ count: Int) async throws -> Double {
    let store = Store(initialState: Pair()) { (pair: inout Pair, _: Counting.Action) in pair.count += 1 }
    let gate = Gate(capacity: count)
    let components = (0..<count).map { _ in Suspended(gate) }
    for component in components { store.connect(component, to: \.still) }
    await gate.isReached(by: count)
    let watch = Stopwatch()
    for _ in 0..<200 { await store.send(.increment) }
    let cost = watch.nanoseconds(per: 200)
    gate.open()
    await store.shutdown(hard: .zero)
    gate.open()
    return cost
  }

  /// Tasks that each wait for the store to settle, beside as many actions, and runs that end one after the other.
  private static func settling(_ count: Int) async throws -> Double {
    let store = Store(initialState: Counting(count: 0)) { (state: inout Counting, _: Counting.Action) in
      state.count = count
    }
    let gate = Gate(capacity: count)
    store.connect(WaitingEffect(gate: gate))
    store.dispatch(.increment)
    await gate.isReached(by: count)
    let watch = Stopwatch()
    await withTaskGroup { group in
      for _ in 0..<count { group.addTask { await store.settled() } }
      for _ in 0..<count { await store.send(.increment) }
      gate.open()
    }
    return watch.nanoseconds(per: count)
  }

  private struct WaitingEffect: EffectComponent {
    let gate: Gate
    func requests(in state: Counting) -> Set<Int> { Set(0..<state.count) }
    func run(_ request: Int, send: Send<Counting.Action>) async { await gate.wait() }
  }

  /// Tasks that each wait for the end of a connection. The updates of these connections end one after the other.
  private static func finished(_ count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let gate = Gate(capacity: count)
    let components = (0..<count).map { _ in Suspended(gate) }
    let connections = components.map { store.connect($0, to: \.count) }
    await gate.isReached(by: count)
    let watch = Stopwatch()
    await withTaskGroup { group in
      for connection in connections {
        connection.disconnect()
        group.addTask { await connection.finished() }
      }
      gate.open()
    }
    return watch.nanoseconds(per: count)
  }

  @MainActor private final class Display: ViewComponent {
    var props = 0
    nonisolated init() {}
  }

  /// Views of one slice, each connected through its own scope.
  private static func views(_ count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let views = (0..<count).map { _ in Display() }
    let watch = Stopwatch()
    let scopes = views.map { view in
      let scope = store.scope(\.count)
      scope.connect(view, to: \.self)
      return scope
    }
    await store.settled()
    for _ in 0..<4 { await store.send(.increment) }
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    let shown = await MainActor.run { views.filter { $0.props == 4 }.count }
    try expect("views shown", shown, is: count)
    withExtendedLifetime(scopes) {}
    return cost
  }

  private struct Pair: Sendable { var (count, still) = (0, 0) }

  /// A view that is released beside many connected components, whose slice does not change.
  private static func deadViews(_ count: Int) async throws -> Double {
    let store = Store(initialState: Pair()) { (pair: inout Pair, _: Counting.Action) in pair.count += 1 }
    let watchers = (0..<count).map { _ in Watcher() }
    for watcher in watchers { store.connect(watcher, to: \.still) }
    await store.settled()
    let watch = Stopwatch()
    for _ in 0..<50 {
      let connection = store.connect(Display(), to: \.count)
      await store.settled()
      await store.send(.increment)
      await connection.finished()
    }
    return watch.nanoseconds(per: 50)
  }

  private final class Mute: StoreObserver { func observe(_ event: StoreEvent) {} }

  /// An action after `count` observers were connected and disconnected.
  private static func observerGone(_ count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    for _ in 0..<count {
      let connection = store.observe(Mute())
      await store.send(.increment)
      connection.disconnect()
      await connection.finished()
    }
    await store.settled()
    let watch = Stopwatch()
    for _ in 0..<200_000 { store.dispatch(.increment) }
    await store.settled()
    return watch.nanoseconds(per: 200_000)
  }

  private struct Rows: Sendable { var rows = KeyedArray<Row>() }

  private struct Row: Identifiable, Equatable, Sendable { let id: Int }

  private struct RowEffect: EffectComponent {
    typealias Action = Counting.Action
    let gate: Gate
    func requests(in row: Row) -> Set<Int> { [row.id] }
    func run(_ id: Int, send: Send<Counting.Action>) async { await gate.wait() }
  }

  /// The longest wait of a reader of the state while the runs of many elements are shut down.
  private static func reader(besideShutdownOf count: Int) async throws -> Double {
    let gate = Gate(capacity: count)
    let rows = Rows(rows: KeyedArray(uniqueElements: (0..<count).map { Row(id: $0) }))
    let store = Store(initialState: rows) { (_: inout Rows, _: Counting.Action) in }
    let unchanged = { @Sendable (_: Int, action: Counting.Action) in action }
    store.connectEach(\.rows, action: unchanged) { _, row in
      row.connect(RowEffect(gate: gate))
    }
    await gate.isReached(by: count)
    let isOver = Lock(false)
    let reading = Task.detached {
      var longest = 0.0
      while !isOver.withLock({ $0 }) {
        let watch = Stopwatch()
        _ = store.state
        longest = max(longest, watch.nanoseconds(per: 1) / 1e6)
        await Task.yield()
      }
      return longest
    }
    let report = await store.shutdown(hard: .zero)
    isOver.withLock { $0 = true }
    let longest = await reading.value
    gate.open()
    await store.settled()
    try expect("runs left", report.unfinished.count, is: count)
    try expect(longest < 100, "a reader waited for \(longest) ms")
    return longest
  }
}
