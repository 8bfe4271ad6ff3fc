import Millrace
import MillraceEffects
import MillraceTestStore
import MillraceTesting
import Testing

/// The cost of a test whose rows are answered one by one: in proportion to the rows.
@Suite struct TestStoreRowsTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String?
  }

  struct State: Equatable, Sendable {
    var rows: KeyedArray<Row> = []
  }

  enum Action: Equatable, Sendable {
    case opened(Int)
    case loaded(Int, String)
  }

  /// A request that counts how often it is compared with others.
  struct Load: Hashable, Sendable {
    let row: Int
    let comparisons: Lock<Int>
    static func == (one: Load, other: Load) -> Bool {
      one.comparisons.withLock { $0 += 1 }
      return one.row == other.row
    }
    func hash(into hasher: inout Hasher) { hasher.combine(row) }
  }

  struct Loading: EffectComponent {
    let request: @Sendable (Int) -> Load
    func requests(in row: Row) -> Set<Load> { row.text == nil ? [request(row.id)] : [] }
    func run(_ request: Load, send: Send<String>) async {}
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .opened(let count): for id in 0..<count { state.rows.append(Row(id: id)) }
    case .loaded(let id, let text): state.rows[id: id]?.text = text
    }
  }

  /// The comparisons of requests in a test of so many rows, answered in a random order.
  private func comparisons(rows: Int, isEqual: Bool, limit: Int?) async -> Int {
    let counter = Lock(0)
    let store = TestStore(initialState: State(), reduce: Self.reduce) { store in
      let loading = Loading { Load(row: isEqual ? 0 : $0, comparisons: counter) }
      let limited = limit.map { loading.limited(to: $0) }
      store.connectEach(\.rows, action: { (id: Int, text: String) in Action.loaded(id, text) }) { _, row in
        if let limited { row.connect(limited) } else { row.connect(loading) }
      }
    }
    store.send(.opened(rows)) { state in for id in 0..<rows { state.rows.append(Row(id: id)) } }
    var random = SeededRandom(seed: 7)
    for id in (0..<rows).shuffled(using: &random) {
      let request = Load(row: isEqual ? 0 : id, comparisons: counter)
      store.answer(request, in: id, with: "\(id)") { $0.rows[id: id]?.text = "\(id)" }
    }
    await store.finish()
    return counter.withLock { $0 }
  }

  @Test(arguments: [(false, nil), (true, nil), (false, 4)] as [(Bool, Int?)])
  func anAnswerLooksAtNoOtherRows(isEqual: Bool, limit: Int?) async {
    #expect(await comparisons(rows: 200, isEqual: isEqual, limit: limit) < 200 * 40)
  }
}
