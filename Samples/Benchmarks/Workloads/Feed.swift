import Millrace

/// A busy program: 2,000 rows, 200 effects whose runs answer 5,000 times a second in all, and a component that shows
/// the newest result. Measures the median time from sending a result until it is shown.
enum Feed {
  static let cases = [
    BenchmarkCase(name: "feed/shown", unit: "ms") { effort in
      try await shown(seconds: max(0.2, 2 * effort.scale))
    }
  ]

  private struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var version = 0
  }

  private struct State: Equatable, Sendable {
    var rows = KeyedArray(uniqueElements: (0..<2_000).map { Row(id: $0) })
    /// The time at which the newest result was sent.
    var newest: ContinuousClock.Instant?
    /// A row for each effect, with the number of its results, which asks for the next result.
    var feeds = KeyedArray(uniqueElements: (0..<200).map { Row(id: $0) })
  }

  private enum Action: Sendable { case loaded(effect: Int, at: ContinuousClock.Instant) }

  /// The interval between two results of one effect.
  private static let interval = Duration.milliseconds(40)

  private static func reduce(_ state: inout State, _ action: Action) {
    guard case .loaded(let effect, let instant) = action else { return }
    state.feeds[id: effect]?.version += 1
    let results = state.feeds[id: effect]?.version ?? 0
    state.rows[id: (effect * 10 + results) % 2_000]?.version += 1
    state.newest = instant
  }

  @Sendable private static func sent(_: Int, _ action: Action) -> Action { action }

  /// Asks for the next result of a feed. The request contains the number of results so far.
  private struct Load: EffectComponent {
    func requests(in feed: Row) -> Set<[Int]> { [[feed.id, feed.version]] }

    func run(_ request: [Int], send: Send<Action>) async {
      try? await Task.sleep(for: interval)
      await send(.loaded(effect: request[0], at: .now))
    }
  }

  private final class Shown: Component, @unchecked Sendable {  // updates never overlap
    private(set) var delays: [Double] = []

    func update(_ newest: ContinuousClock.Instant?) async {
      if let newest { delays.append((ContinuousClock.now - newest) / .milliseconds(1)) }
    }
  }

  private static func shown(seconds: Double) async throws -> Double {
    let store = Store(
      initialState: State(), options: StoreOptions(loopDetection: .off), reduce: reduce)
    let shown = Shown()
    store.connect(shown, to: \.newest)
    store.connectEach(\.feeds, action: sent) { _, feed in feed.connect(Load(), longRunning: true) }
    try await Task.sleep(for: .seconds(seconds))
    await store.shutdown()
    try expect(shown.delays.count > 10, "only \(shown.delays.count) results were shown")
    return Measurement(shown.delays).median
  }
}
