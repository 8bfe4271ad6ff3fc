import Millrace
import MillraceExplorer
import MillraceTesting
import MillraceTrace
import TestSupport

/// A feature to record, in parts whose actions are wrapped on their way up: a search, and rows that load themselves. Each
/// of its bugs can be planted.
enum Desk {
  enum Bug { case failureForgotten, lateRow, greetingKept }

  struct Offline: Error, Codable, Hashable {}

  struct Row: Identifiable, Codable, Hashable, Sendable {
    let id: Int
    var isAsked = true
    var value: Int?
  }

  struct State: Codable, Hashable, Sendable {
    var query = ""
    var isLoading = false
    var results: [String] = []
    var rows: KeyedArray<Row> = []
    var greetings = 0
  }

  enum SearchAction: Codable, Hashable, Sendable {
    case arrived([String])
    case failed(Offline)
  }

  enum RowAction: Codable, Hashable, Sendable {
    case loaded(Int)
    case askedAgain
  }

  enum Action: Codable, Hashable, Sendable {
    case queryChanged(String)
    case search(SearchAction)
    case rowAdded(Int)
    case rowRemoved(Int)
    case row(Int, RowAction)
    case greeted
  }

  static func reduce(_ bug: Bug?) -> Reducer<State, Action> {
    { state, action in
      switch action {
      case .queryChanged(let query): (state.query, state.isLoading) = (query, !query.isEmpty)
      case .search(.arrived(let results)): (state.results, state.isLoading) = (results, false)
      case .search(.failed): if bug != .failureForgotten { state.isLoading = false }
      case .rowAdded(let id): if state.rows[id: id] == nil { state.rows.append(Row(id: id)) }
      case .rowRemoved(let id): state.rows.remove(id: id)
      case .row(let id, .loaded(let value)):
        state.rows[id: id]?.value = value
        // Keeps asking.
        if bug != .lateRow || value != 3 { state.rows[id: id]?.isAsked = false }
      case .row(let id, .askedAgain): if state.rows[id: id] != nil { state.rows[id: id] = Row(id: id) }
      case .greeted: state.greetings = min(state.greetings + 1, bug == .greetingKept ? 9 : 1)
      }
    }
  }

  struct SearchEffect: EffectComponent {
    func requests(in state: State) -> Set<String> { state.isLoading ? [state.query] : [] }
    func run(_ query: String, send: Send<SearchAction>) async throws(Offline) {
      if query.hasSuffix("?") { throw Offline() }
      await send(.arrived([query]))
    }
    func action(for failure: Offline, of query: String) -> SearchAction { .failed(failure) }
  }

  struct RowEffect: EffectComponent {
    func requests(in row: Row) -> Set<Int> { row.isAsked ? [row.id] : [] }
    func run(_ id: Int, send: Send<RowAction>) async { await send(.loaded(id)) }
  }

  static func connect(to store: Store<State, Action>) {
    store.connect(SearchEffect(), to: \.self, action: Action.search, named: "search")
    store.connectEach(\.rows, action: Action.row) { id, row in
      if id == 7 { store.dispatch(.greeted) }
      row.connect(RowEffect(), named: "row")
    }
  }

  /// What a user may do.
  static func action(using random: inout SeededGenerator) -> Action {
    let id = Int.random(in: 0..<9, using: &random)
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: .queryChanged(["swift", "rust", "odd?", ""].randomElement(using: &random) ?? "")
    case 1, 2: .rowAdded(id)
    case 3: .rowRemoved(id)
    default: .row(id, .askedAgain)
    }
  }

  /// The recording of a long session in which actions of the user's and of the effects come as they come.
  static func recording(_ bug: Bug?, seed: UInt64, actions: Int = 200) async throws -> TraceMemory {
    var random = SeededGenerator(seed: seed)
    return try await recorded(
      State(), reduce: reduce(bug), connect: { connect(to: $0) },
      using: { store in
        for _ in 0..<actions {
          store.dispatch(action(using: &random))
          if Int.random(in: 0..<4, using: &random) == 0 { await store.settled() }
        }
      })
  }

  static func explorer(_ bug: Bug?) -> Explorer<State, Action> {
    Explorer(initialState: State(), reduce: reduce(bug), connect: connect)
  }
}

/// The recording of a store that is used, and does what it is asked for until nothing is left to do.
func recorded<State: Encodable & Sendable, Action: Encodable & Sendable>(
  _ state: State, reduce: @escaping Reducer<State, Action>,
  connect: (Store<State, Action>) -> Void = { _ in },
  using use: (Store<State, Action>) async -> Void = { _ in }
) async throws -> TraceMemory {
  let memory = TraceMemory()
  let store = Store(initialState: state, reduce: reduce)
  let recording = try store.record(to: .memory(memory))
  connect(store)
  await use(store)
  await store.settled()
  try await recording.finish()
  return memory
}
