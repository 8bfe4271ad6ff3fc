import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// Effects of optional values and of elements.
@Suite struct ExplorerLifetimeTests {
  enum List {
    struct Row: Identifiable, Hashable, Sendable {
      let id: Int
      var isLoading = true
      var isBroken = false
    }

    struct State: Hashable, Sendable {
      var rows: KeyedArray<Row> = []
      var detail: Row?
    }

    enum Action: Sendable {
      case add(Int)
      case remove(Int)
      case reload
      case open(Int)
      case close
      case row(Int, RowAction)
      case detail(RowAction)
    }

    enum RowAction: Sendable {
      case loaded
      case broken
    }

    struct Broken: Error {}

    static func reduce(_ row: inout Row, _ action: RowAction) {
      row.isLoading = false
      row.isBroken = action == .broken
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .add(let id): if !state.rows.contains(where: { $0.id == id }) { state.rows.append(Row(id: id)) }
      case .remove(let id): state.rows.remove(id: id)
      case .reload: for row in state.rows { state.rows[id: row.id]?.isLoading = true }
      case .open(let id): state.detail = Row(id: id)
      case .close: state.detail = nil
      case .row(let id, let action):
        guard var row = state.rows[id: id] else { return }
        reduce(&row, action)
        state.rows[id: id] = row
      case .detail(let action): if state.detail != nil { reduce(&state.detail!, action) }
      }
    }

    static func connect(to store: Store<State, Action>) {
      store.connectEach(\.rows, action: Action.row) { _, row in
        row.connect(
          when: { $0.isLoading ? "load" : nil }, failure: { (_: Broken, _) in .broken }, named: "row"
        ) {
          _, _ throws(Broken) in
        }
      }
      store.connectIfPresent(\.detail, action: Action.detail) { detail in
        detail.connect(when: { $0.isLoading ? "load" : nil }, named: "detail") { _, _ in }
      }
    }
  }

  private let rows = Explorer(initialState: List.State(), reduce: List.reduce, connect: List.connect)
    .allowing(.unusedOutcomes)
    .outcomes(of: String.self, sending: List.RowAction.self, from: "row") { _ in
      [.answers(.loaded), .fails(List.Broken())]
    }
    .outcomes(of: String.self, sending: List.RowAction.self, from: "detail") { _ in [.answers(.loaded)] }

  @Test func elementsAreExploredInEveryOrder() {
    let report =
      rows
      .userActions { _ in [.add(1), .add(2), .remove(1), .remove(2)] }
      .always("each row that loads has its request") { state, running in
        running.count == state.rows.count { $0.isLoading }
      }
      .alwaysReachable("all has loaded") { state in state.rows.allSatisfy { !$0.isLoading } }
      .explore()
    #expect(report.isClean, "\(report)")
    // No row; one of two rows in three conditions; both rows in nine, in two orders.
    #expect(report.counts.states == 1 + 2 * 3 + 9 * 2)
  }

  @Test func eachElementThatAnActionChangesIsAskedAnew() {
    let shown: KeyedArray = [List.Row(id: 1, isLoading: false), List.Row(id: 2, isLoading: false)]
    let report = Explorer(initialState: List.State(rows: shown), reduce: List.reduce, connect: List.connect)
      .userActions { _ in [.reload] }
      .outcomes(of: String.self) { _ in [] }
      .always("each row that loads has its request") { state, running in
        running.count == state.rows.count { $0.isLoading }
      }
      .explore()
    #expect(report.isClean && report.counts.states == 2, "\(report)")
  }

  @Test func anElementIsNamedInTheStoryAndInTheTest() throws {
    let report = rows.userActions { _ in [.add(1), .add(2)] }
      .never("row 2 is broken") { state in state.rows[id: 2]?.isBroken == true }.explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.story.contains(#"row "load" in 2 fails with Broken()"#), "\(found)")
    #expect(found.test.contains(#"store.fail("load", in: 2, with: ExplorerLifetimeTests.List.Broken())"#))
    let answered = rows.userActions { _ in [.open(7)] }
      .never("the detail is there") { state in state.detail?.isLoading == false }.explore()
    let test = try #require(answered.counterexamples.first?.test)
    #expect(test.contains(#"answer("load", in: 7, with: ExplorerLifetimeTests.List.RowAction.loaded)"#))
    #expect(test.contains("{ state in state.detail?.isLoading == false }\n  #expect(!holds(store.state))"))
  }

  @Test func anOptionalValueBeginsAndEnds() {
    let report =
      rows
      .userActions { _ in [.open(1), .open(2), .close] }.crashes()
      .always("its request runs") { state, running in running.isEmpty == (state.detail?.isLoading != true) }
      .explore()
    #expect(report.isClean, "\(report)")
    #expect(report.counts.states == 1 + 2 * 2)
  }
}

/// Effects of a slice of an element, and of a slice of an optional value.
@Suite struct ExplorerNestingTests {
  struct Switch: Hashable, Sendable {
    var isOn = false
  }

  struct Lamp: Identifiable, Hashable, Sendable {
    let id: Int
    var isBroken = false
    var state = Switch()
  }

  struct House: Hashable, Sendable {
    var lamps: KeyedArray<Lamp> = [Lamp(id: 1), Lamp(id: 2)]
    var porch: Lamp?

    /// The number of lamps that are on.
    var isOnCount: Int { lamps.count { $0.state.isOn } + (porch?.state.isOn == true ? 1 : 0) }
  }

  enum Action: Sendable {
    case pressed(Int)
    case removed(Int)
    case porchBuilt
    case porchPressed
    case porchTornDown
  }

  private static func reduce(_ house: inout House, _ action: Action) {
    switch action {
    case .pressed(let id): house.lamps.mutate(id: id) { $0.state.isOn.toggle() }
    case .removed(let id): house.lamps.remove(id: id)
    case .porchBuilt: house.porch = Lamp(id: 3)
    case .porchPressed: house.porch?.state.isOn.toggle()
    case .porchTornDown: house.porch = nil
    }
  }

  private static func shine(_ lamp: Store<Lamp, Action>) {
    lamp.scope(\.state).connect(when: { $0.isOn ? "shine" : nil }, run: { _, _ in })
  }

  @Test func theRequestsAreThoseOfTheStateWhereverItIsReachedFrom() {
    let report = Explorer(initialState: House(), reduce: Self.reduce) { store in
      store.connectEach(\.lamps, action: { $1 }) { _, lamp in Self.shine(lamp) }
      store.connectIfPresent(\.porch, action: { $0 }) { lamp in Self.shine(lamp) }
    }
    .userActions { _ in [.pressed(1), .pressed(2), .removed(2), .porchBuilt, .porchPressed, .porchTornDown] }
    .outcomes(of: String.self) { _ in [] }
    .always("each lamp that is on shines") { house, running in running.count == house.isOnCount }
    .explore()
    #expect(report.isClean, "\(report)")
    #expect(report.counts.states == 2 * 3 * 3)
  }
}
