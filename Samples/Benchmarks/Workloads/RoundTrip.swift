import Millrace

/// A round trip: a request appears in the state, its run answers at once, the answer is reduced, and the next request
/// appears.
enum RoundTrip {
  static let cases = [
    BenchmarkCase(
      name: "effect/round-trip", unit: "ns/round-trip", baseline: [Baselines.task, Baselines.dispatchHop],
      target: 1.5
    ) { effort in
      try await roundTrips(effort.count(20_000))
    }
  ]

  struct State: Equatable, Sendable {
    var remaining: Int
    var pending: Int?
    var answers = 0
  }

  enum Action: Sendable {
    case started
    case answered(Int)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    if case .answered(let request) = action {
      guard request == state.pending else { return }
      state.answers += 1
      state.remaining -= 1
    }
    state.pending = state.remaining > 0 ? state.remaining : nil
  }

  struct Echo: EffectComponent {
    func requests(in state: State) -> Set<Int> { state.pending.map { [$0] } ?? [] }
    func run(_ request: Int, send: Send<Action>) async { await send(.answered(request)) }
  }

  private static func roundTrips(_ count: Int) async throws -> Double {
    // The chain is longer than the limit of loop detection.
    let store = Store(
      initialState: State(remaining: count), options: StoreOptions(loopDetection: .off), reduce: reduce)
    store.connect(Echo())
    await store.settled()
    let watch = Stopwatch()
    store.dispatch(.started)
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    try expect("answers reduced", store.state.answers, is: count)
    try expect("requests left", store.state.remaining, is: 0)
    return cost
  }
}
