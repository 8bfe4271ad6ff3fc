import Millrace

/// Changes one of many elements in place, each with its own component.
enum Keyed {
  static let cases =
    [1_000, 10_000, 100_000].map { rows in
      BenchmarkCase(name: "keyed/one-of/\(rows)", unit: "ns/action") { effort in
        try await Table.of(rows).changes(effort.count(20_000))
      }
    } + [
      BenchmarkCase(name: "keyed/one-by-one/100000", unit: "ns/action") { effort in
        try await Table.of(100_000).changesOneByOne(effort.count(20_000))
      },
      BenchmarkCase(
        name: "keyed/snapshot-held/100000", unit: "ns/action",
        baseline: Array(repeating: Baselines.task, count: 10),
        target: 1
      ) { effort in
        try await Table.of(100_000).changesWithSnapshots(effort.count(20_000))
      },
    ]

  static let comparisons = [
    Comparison(
      name: "keyed/growth", numerator: "keyed/one-of/100000", denominator: "keyed/one-of/1000", target: 2)
  ]

  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var value = 0
  }

  struct State: Equatable, Sendable {
    var rows: KeyedArray<Row>
  }

  enum Action: Sendable {
    case rowChanged(Int)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .rowChanged(let id): state.rows[id: id]?.value += 1
    }
  }

  /// A store with a number of watched rows. Made once, since connecting is not measured here.
  private actor Table {
    private static let tables = TableCache()

    static func of(_ rows: Int) async -> Table { await tables.table(of: rows) }

    private let store: Store<State, Action>
    private let watchers: [Watcher]
    private var changes = 0

    init(rows: Int) async {
      let watchers = (0..<rows).map { _ in Watcher() }
      self.watchers = watchers
      store = Store(
        initialState: State(rows: KeyedArray(uniqueElements: (0..<rows).map { Row(id: $0) })), reduce: reduce)
      store.connectEach(\.rows, action: Self.rowAction) { $1.connect(watchers[$0], to: \.value) }
      await store.settled()
    }

    /// Never called: nothing is sent through the rows' own stores.
    private static func rowAction(_ id: Int, _: Never) -> Action {}

    /// Changes rows that are far from each other, one after the other.
    func changes(_ count: Int) async throws -> Double {
      let watch = Stopwatch()
      for _ in 0..<count { store.dispatch(nextChange()) }
      await store.settled()
      let cost = watch.nanoseconds(per: count)
      try expectDelivered()
      return cost
    }

    /// Changes rows, each in a batch of its own.
    func changesOneByOne(_ count: Int) async throws -> Double {
      let watch = Stopwatch()
      for _ in 0..<count { await store.send(nextChange()) }
      await store.settled()
      let cost = watch.nanoseconds(per: count)
      try expectDelivered()
      return cost
    }

    /// Changes rows while a snapshot of all rows is held at every action.
    func changesWithSnapshots(_ count: Int) async throws -> Double {
      var snapshot = store.state
      let watch = Stopwatch()
      for _ in 0..<count {
        store.dispatchAndWait(nextChange())
        snapshot = store.state
      }
      let cost = watch.nanoseconds(per: count)
      await store.settled()
      try expect("the last snapshot", snapshot == store.state, is: true)
      try expectDelivered()
      return cost
    }

    private func nextChange() -> Action {
      defer { changes += 1 }
      return .rowChanged(changes &* 7919 % watchers.count)
    }

    private func expectDelivered() throws {
      let state = store.state
      try expect("changes", state.rows.reduce(0) { $0 + $1.value }, is: changes)
      for row in state.rows where watchers[row.id].last != row.value {
        throw Undelivered(
          description: "row \(row.id) is \(row.value), its component got \(watchers[row.id].last)")
      }
    }
  }

  private actor TableCache {
    private var tables: [Int: Task<Table, Never>] = [:]

    func table(of rows: Int) async -> Table {
      if let made = tables[rows] { return await made.value }
      let making = Task { await Table(rows: rows) }
      tables[rows] = making
      return await making.value
    }
  }
}
