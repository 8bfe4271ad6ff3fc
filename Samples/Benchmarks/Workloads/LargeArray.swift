import Millrace

/// Changes one row of a large array in place, while a component watches a scalar beside it.
enum LargeArray {
  static let cases = [1_000, 100_000].map { rows in
    BenchmarkCase(name: "large-array/\(rows)", unit: "ns/action") { effort in
      try await changes(effort.count(500_000), rows: rows)
    }
  }

  static let comparisons = [
    Comparison(
      name: "large-array/growth", numerator: "large-array/100000", denominator: "large-array/1000",
      target: 1.5)
  ]

  struct Row: Equatable, Sendable {
    var value = 0
    var title: String
  }

  struct State: Equatable, Sendable {
    var rows: [Row]
    var selected = 0
  }

  enum Action: Sendable {
    case rowChanged(Int)
    case selected(Int)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .rowChanged(let index): state.rows[index].value += 1
    case .selected(let row): state.selected = row
    }
  }

  private static func changes(_ count: Int, rows: Int) async throws -> Double {
    let titles = (0..<rows).map { Row(title: "The title of row \($0)") }
    let store = Store(initialState: State(rows: titles), reduce: reduce)
    let watcher = Watcher()
    store.connect(watcher, to: \.selected)
    await store.settled()
    let watch = Stopwatch()
    var row = 0
    for _ in 0..<count {
      store.dispatch(.rowChanged(row))
      row += 1
      if row == rows { row = 0 }
    }
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    try expect("rows changed", store.state.rows.reduce(0) { $0 + $1.value }, is: count)
    try expect("updates of a scalar that did not change", watcher.deliveries, is: 1)
    store.dispatch(.selected(7))
    await store.settled()
    try expect("the scalar", watcher.last, is: 7)
    return cost
  }
}
