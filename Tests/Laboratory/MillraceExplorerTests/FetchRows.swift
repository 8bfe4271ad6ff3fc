import Millrace
import MillraceExplorer
import MillraceTesting

/// Rows that each fetch something, for what belongs to the lifetime of an element.
enum FetchRows {
  struct State: Hashable, Sendable {
    struct Row: Hashable, Sendable, Identifiable {
      let id: Int
      var fetch = Fetch.State(wanted: ["a"])
    }
    var rows: KeyedArray<Row>
  }

  enum Action: Sendable {
    case row(Int, Fetch.Action)
    case toggle(Int)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .row(let id, let action): state.rows.mutate(id: id) { Fetch.reduce(&$0.fetch, action) }
    case .toggle(let id):
      if state.rows.remove(id: id) == nil { state.rows.append(State.Row(id: id)) }
    }
  }

  /// What may come of an effect that each row makes, while the user removes the second row and brings it back.
  static func explorer(
    of ids: [Int] = [1, 2],
    _ effect: @escaping @Sendable () -> some EffectComponent<Fetch.State, Fetch.Action>
  ) -> Explorer<State, Action> {
    Explorer(
      initialState: State(rows: KeyedArray(uniqueElements: ids.map { State.Row(id: $0) })), reduce: reduce
    ) { store in
      store.connectEach(\.rows, action: Action.row) { _, row in connect(effect(), to: row.scope(\.fetch)) }
    }
    .userActions { _ in [.toggle(2)] }
    .outcomes(of: String.self, sending: Fetch.Action.self) { _ in [] }
  }

  private static func connect(
    _ effect: some EffectComponent<Fetch.State, Fetch.Action>, to store: Store<Fetch.State, Fetch.Action>
  ) { store.connect(effect) }
}
