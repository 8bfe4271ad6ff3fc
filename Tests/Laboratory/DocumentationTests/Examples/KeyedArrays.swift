import Millrace
import Testing

@Suite struct KeyedArrayExamples {
  // KeyedArray
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
  }

  @Test("rows are reached by their ids")
  func rows() {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var title: String
    }
    var rows: KeyedArray<Row> = [Row(id: 7, title: "a"), Row(id: 3, title: "b")]
    rows[id: 3]?.title = "changed"
    rows.append(Row(id: 9, title: "c"))
    rows.move(id: 9, to: 0)
    print(rows.map(\.id))  // [9, 7, 3]
    #expect(rows.map(\.id) == [9, 7, 3])
    // KeyedArray.subscript(id:)
    rows[id: 3]?.title = "changed"  // in place; does nothing if there is no such row
    rows[id: 4] = Row(id: 4, title: "new")  // replaces the element, or appends it
    rows[id: 7] = nil  // removes the element
    #expect(rows.map(\.id) == [9, 3, 4])
  }

  @Test("what has changed is told")
  func changes() {
    var rows: KeyedArray<Row> = [Row(id: 3, title: "b")]
    // KeyedArray.forEachChange
    let before = rows
    rows[id: 3]?.title = "changed"
    rows.forEachChange(since: before) { change in
      if case .updated(_, let row) = change { print(row.title) }  // changed
    }
    #expect(before != rows)
  }

  struct Table: Equatable, Sendable { var rows: KeyedArray<Row> = [] }

  enum AppAction: Sendable {
    case added(Int)
    case row(Int, String)
  }

  struct RowEffect: EffectComponent {
    func requests(in row: Row) -> Set<Int> { row.title.isEmpty ? [row.id] : [] }
    func run(_ id: Int, send: Send<String>) async { await send("row \(id)") }
  }

  @Test("what hangs on an element lives while the element is there")
  func each() async {
    let store = Store(
      initialState: Table(),
      reduce: { (table: inout Table, action: AppAction) in
        switch action {
        case .added(let id): table.rows.append(Row(id: id, title: ""))
        case .row(let id, let title): table.rows[id: id]?.title = title
        }
      })
    // Store.connectEach
    store.connectEach(\.rows, action: AppAction.row) { id, row in
      row.connect(RowEffect())
    }
    store.dispatch(.added(1))
    store.dispatch(.added(2))
    await store.settled()
    #expect(store.state.rows.map(\.title) == ["row 1", "row 2"])
  }
}
