import Millrace

/// One of many modules handles an action, found by a `switch`.
enum Modules {
  static let cases = [
    BenchmarkCase(name: "modules/1", unit: "ns/action") { effort in
      try await actions(
        effort.count(1_000_000), of: OneModule(), OneModule.reduce, [.module(.increment)],
        total: \.module.count)
    },
    BenchmarkCase(name: "modules/100", unit: "ns/action", baseline: ["modules/1"], target: 2) { effort in
      try await actions(
        effort.count(1_000_000), of: HundredModules(), HundredModules.reduce, HundredModules.actions,
        total: \.total)
    },
  ]

  /// An app of a single module.
  struct OneModule: Sendable {
    var module = Counting()

    enum Action: Sendable { case module(Counting.Action) }

    static func reduce(_ state: inout Self, _ action: Action) {
      switch action {
      case .module(let action): Counting.reduce(&state.module, action)
      }
    }
  }

  /// Dispatches the actions in turn, repeatedly.
  private static func actions<State: Sendable, Action: Sendable>(
    _ count: Int, of initialState: State, _ reduce: @escaping Reducer<State, Action>, _ actions: [Action],
    total: (State) -> Int
  ) async throws -> Double {
    let store = Store(initialState: initialState, reduce: reduce)
    let watch = Stopwatch()
    var next = 0
    for _ in 0..<count {
      store.dispatch(actions[next])
      next += 1
      if next == actions.count { next = 0 }
    }
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    try expect("actions reduced", total(store.state), is: count)
    return cost
  }
}
