import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// A search that begins when typing pauses, and shows the results of the last query.
nonisolated enum SearchAsYouType {
  struct State: Equatable, Sendable {
    var query = ""
    var results: [String]?

    /// The query to search for; `nil` once there are results.
    var pending: String? { query.isEmpty || results != nil ? nil : query }
  }

  enum Action: Codable, Equatable, Sendable {
    case typed(String)
    case found([String])
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .typed(let query): state = State(query: query)
    case .found(let results): state.results = results
    }
  }

  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C, search: @escaping @Sendable (String) async -> [String]
  ) where C.Duration == Duration {
    let lookup = Effect { (query: String, send: Send<Action>) in await send(.found(search(query))) }
    store.connect(lookup.debounced(for: .milliseconds(300), clock: clock), when: \.pending)
  }
}

nonisolated extension Case {
  static let searchAsYouType = Case(
    name: "search", symptom: "the answer to an old question shows up"
  ) { say in
    let (clock, slow, asked) = (TestClock(), Gate(), Recorder<String>())
    let store = Store(
      initialState: SearchAsYouType.State(), on: .immediate, reduce: SearchAsYouType.reduce)
    try store.recordIfAsked()
    SearchAsYouType.connect(to: store, clock: clock) { query in
      asked.append(query)
      if query == "sw" { await slow.waitIgnoringCancellation() }
      return ["\(query).org"]
    }
    for query in ["s", "sw"] { store.dispatch(.typed(query)) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(300))
    try await slow.waiters(atLeast: 1)
    say("s and sw were typed, and the service was asked for \(asked.values)")
    store.dispatch(.typed("swift"))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(300))
    let shown = await store.first { $0.results != nil }
    say("swift was typed: \(shown?.results ?? [])")
    slow.open()
    await store.settled()
    say("the answer for sw has come, late: \(store.state.results ?? [])")
    await store.shutdown()
  }
}
