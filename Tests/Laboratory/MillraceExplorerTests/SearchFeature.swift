import Millrace

/// A search as you type, as the tests of the explorer get it wrong in two ways.
enum Search {
  struct Offline: Error, Hashable {}

  struct State: Hashable, Sendable {
    var query = ""
    var isLoading = false
    var results: [String] = []
  }

  enum Action: Hashable, Sendable {
    case queryChanged(String)
    case arrived([String])
    case failed(String)
  }

  struct SearchEffect: EffectComponent {
    func requests(in state: State) -> Set<String> { state.isLoading ? [state.query] : [] }
    func run(_ query: String, send: Send<Action>) async throws(Offline) {
      await send(.arrived(["\(query).org"]))
    }
    func action(for failure: Offline, of query: String) -> Action { .failed(query) }
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .queryChanged(let query):
      state.query = query
      state.isLoading = !query.isEmpty
    case .arrived(let results):
      state.results = results
      state.isLoading = false
    case .failed: state.isLoading = false
    }
  }

  /// The branch of the failure is forgotten.
  static func forgetfulReduce(_ state: inout State, _ action: Action) {
    if case .failed = action { return }
    reduce(&state, action)
  }

  static func connect(to store: Store<State, Action>) { store.connect(SearchEffect()) }
}
