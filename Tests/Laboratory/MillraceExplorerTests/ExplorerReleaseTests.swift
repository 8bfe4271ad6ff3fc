import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// What an exploration holds is let go of when it is over.
@Suite struct ExplorerReleaseTests {
  struct Row: Identifiable, Hashable, Sendable {
    let id: Int
    var isLoading = true
  }

  struct State: Hashable, Sendable {
    var query: Int?
    var rows: KeyedArray<Row> = []
  }

  enum Action: Sendable {
    case ask(Int?)
    case add
    case remove
    case row(Int)
  }

  /// What every effect holds.
  final class Client: Sendable {}

  struct QueryEffect: EffectComponent {
    let client: Client
    func requests(in query: Int?) -> Set<Int> { query.map { [$0] } ?? [] }
    func run(_ query: Int, send: Send<Action>) async {}
  }

  struct RowEffect: EffectComponent {
    let client: Client
    func requests(in row: Row) -> Set<Int> { row.isLoading ? [row.id] : [] }
    func run(_ id: Int, send: Send<Void>) async {}
  }

  @Test(arguments: [false, true])
  func everythingIsLetGoOf(hasRows: Bool) {
    weak var client: Client?
    do {
      let held = Client()
      client = held
      let explorer = Explorer(
        initialState: State(),
        reduce: { (state: inout State, action: Action) in
          switch action {
          case .ask(let query): state.query = query
          case .add: if state.rows.isEmpty { state.rows.append(Row(id: 1)) }
          case .remove: state.rows.remove(id: 1)
          case .row(let id): state.rows[id: id]?.isLoading = false
          }
        },
        connect: { store in
          store.connect(QueryEffect(client: held), to: \.query)
          if !hasRows { return }
          let row = { @Sendable (id: Int, _: Void) in Action.row(id) }
          store.connectEach(\.rows, action: row) { _, row in row.connect(RowEffect(client: held)) }
        }
      )
      .userActions { _ in hasRows ? [.ask(1), .ask(nil), .add, .remove] : [.ask(1), .ask(2), .ask(nil)] }
      .outcomes(of: Int.self) { _ in [.answers()] }
      .outcomes(of: Int.self, sending: Void.self) { _ in [.answers(())] }
      #expect(explorer.explore().counts.states > 2)
    }
    #expect(client == nil)
  }
}
