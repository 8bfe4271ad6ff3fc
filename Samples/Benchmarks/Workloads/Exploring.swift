import Millrace
import MillraceExplorer
import MillraceTesting

/// Measures how fast an explorer explores a feature: a paged search whose state is five words, with at most one request
/// in progress and about four moves a state.
enum Exploring {
  static let cases =
    cases("explore", states: 200_000) { explorer } + cases("explore/three", states: 200_000) { three }

  /// The cost of a state and of a move, and the memory of a state, for any feature.
  static func cases<State: Sendable, Action: Sendable>(
    _ prefix: String, states: Int, _ explorer: @escaping @Sendable () -> Explorer<State, Action>
  ) -> [BenchmarkCase] {
    let times = [
      BenchmarkCase(name: "\(prefix)/state", unit: "ns/state") { effort in
        let clock = Stopwatch()
        let report = try explorer().explored(effort.count(states))
        return clock.nanoseconds(per: report.counts.states)
      },
      BenchmarkCase(name: "\(prefix)/move", unit: "ns/move") { effort in
        let clock = Stopwatch()
        let report = try explorer().explored(effort.count(states))
        return clock.nanoseconds(per: report.counts.moves)
      },
    ]
    let memory = BenchmarkCase(name: "\(prefix)/memory", unit: "bytes/state") { effort in
      try await explorer().memory(effort.count(states))
    }
    return times + (MemoryMeter.countsAllocations ? [memory] : [])
  }

  struct State: Hashable, Sendable {
    var asked: Int?
    var page = 0
    var shown = 0
    var failures = 0
  }

  enum Action: Sendable {
    case ask(Int)
    case nextPage
    case arrived(Int)
    case failed
  }

  struct Offline: Error {}

  struct Load: Hashable, Sendable {
    let query: Int
    let page: Int
  }

  struct LoadEffect: EffectComponent {
    func requests(in state: State) -> Set<Load> {
      state.asked.map { [Load(query: $0, page: state.page)] } ?? []
    }
    func run(_ request: Load, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of request: Load) -> Action { .failed }
  }

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .ask(let query): state.asked = query
    case .nextPage: state.page = (state.page + 1) % 40
    case .arrived(let result):
      state.shown = (state.shown + result) % 200
      state.asked = nil
    case .failed:
      state.failures = (state.failures + 1) % 50
      state.asked = nil
    }
  }

  /// Loads three pages at once.
  private struct ThreeEffect: EffectComponent {
    func requests(in state: State) -> Set<Load> {
      guard let query = state.asked else { return [] }
      return [
        Load(query: query, page: state.page), Load(query: query, page: state.page + 1),
        Load(query: query, page: state.page + 2),
      ]
    }
    func run(_ request: Load, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of request: Load) -> Action { .failed }
  }

  private static var three: Explorer<State, Action> {
    Explorer(
      initialState: State(),
      reduce: { state, action in
        let asked = state.asked
        reduce(&state, action)
        if case .arrived = action { state.asked = asked }
      },
      connect: { $0.connect(ThreeEffect()) }
    )
    .userActions { _ in [.ask(1), .ask(2), .nextPage] }
    .outcomes(of: Load.self) { load in [.answers(.arrived(load.query)), .fails(Offline())] }
    .never("more than a hundred") { $0.failures > 100 }
  }

  private static var explorer: Explorer<State, Action> {
    Explorer(initialState: State(), reduce: reduce) { $0.connect(LoadEffect()) }
      .userActions { _ in [.ask(1), .ask(2), .nextPage] }
      .outcomes(of: Load.self) { load in [.answers(.arrived(load.query)), .fails(Offline())] }
      .never("more than a hundred") { $0.failures > 100 }
  }
}

extension Explorer {
  /// Explores up to a number of states.
  fileprivate func explored(_ states: Int) throws(Undelivered) -> ExplorationReport<State, Action> {
    let report = allowing(.states).explore(states: states)
    try expect("states", report.counts.states, is: states)
    try expect(report.isClean, "\(report)")
    return report
  }

  /// The bytes per state that the explorer has allocated when it finds the last one.
  fileprivate func memory(_ states: Int) async throws -> Double {
    let found = Lock((states: 0, bytes: 0.0))
    let meter = try await MemoryMeter.atRest()
    _ = try never("counted") { _ in
      found.withLock { found in
        found.states += 1
        if found.states == states { found.bytes = meter.bytes(per: states) }
      }
      return false
    }
    .explored(states)
    return found.withLock { $0.bytes }
  }
}
