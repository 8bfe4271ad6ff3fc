import Millrace
import MillraceEffects

/// Finds notes while the user types.
struct Search: Equatable, Sendable {
  var query = ""
  var found: [Int] = []

  enum Action: Codable, Equatable, Sendable {
    case typed(String)
    case found([Int])
  }

  mutating func reduce(_ action: Action) {
    switch action {
    case .typed(let query): self = Search(query: query)
    case .found(let ids): found = ids
    }
  }

  /// A query is searched for once it has stayed the same for a while. The next letter stops the search for the previous
  /// query, so that its result cannot replace the newer one.
  static func connect(
    to store: Store<Notebook, Notebook.Action>, shelf: any Shelf, clock: some Clock<Duration>
  ) {
    let effect = SearchEffect(user: store.state.id, shelf: shelf)
    store.connect(
      effect.debounced(for: .milliseconds(20), clock: clock), to: \.search, action: Notebook.Action.search)
  }

  struct SearchEffect: EffectComponent {
    let user: String
    let shelf: any Shelf

    func requests(in search: Search) -> Set<String> { search.query.isEmpty ? [] : [search.query] }

    func run(_ query: String, send: Send<Action>) async {
      await send(.found(shelf.find(query, of: user)))
    }
  }
}
