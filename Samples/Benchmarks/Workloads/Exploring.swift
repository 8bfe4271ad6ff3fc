import Millrace
import MillraceTesting

/// How fast an explorer goes through the states of a feature: a paged search whose state is five words, with at most three
/// requests in progress.
enum Exploring {
  static let cases: [BenchmarkCase] = [
    BenchmarkCase(name: "explore/state", unit: "ns/state") { effort in
      let clock = Stopwatch()
      let report = try explore(effort.count(200_000))
      return clock.nanoseconds(per: report.counts.states)
    },
    BenchmarkCase(name: "explore/move", unit: "ns/move") { effort in
      let clock = Stopwatch()
      let report = try explore(effort.count(200_000))
      return clock.nanoseconds(per: report.counts.moves)
    },
  ]

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

  private static func explore(_ states: Int) throws(Undelivered) -> ExplorationReport<State, Action> {
    let report = Explorer(initialState: State(), reduce: reduce) { $0.connect(LoadEffect()) }
      .userActions { _ in [.ask(1), .ask(2), .nextPage] }
      .outcomes(of: Load.self) { load in [.answers(.arrived(load.query)), .fails(Offline())] }
      .never("more than a hundred") { $0.failures > 100 }
      .explore(states: states)
    try expect("states", report.counts.states, is: states)
    try expect(report.isClean, "\(report)")
    return report
  }
}
