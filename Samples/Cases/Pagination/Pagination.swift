import Millrace
import MillraceTesting
import MillraceTrace

/// A list whose next page is loaded when its end is seen: once, however often the end is seen.
nonisolated enum Pagination {
  struct State: Equatable, Sendable {
    var items: [String] = []
    /// The next page; `nil` after the last one.
    var next: Int? = 1
    var isWanted = true

    var pending: Int? { isWanted ? next : nil }
  }

  struct Page: Codable, Equatable, Sendable {
    var items: [String]
    var next: Int?
  }

  enum Action: Codable, Equatable, Sendable {
    case endSeen
    case pulledToRefresh
    case arrived(Page)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .endSeen: state.isWanted = true
    case .pulledToRefresh: state = State()
    case .arrived(let page):
      state.items += page.items
      (state.next, state.isWanted) = (page.next, false)
    }
  }

  static func connect(to store: Store<State, Action>, load: @escaping @Sendable (Int) async -> Page) {
    store.connect(when: \.pending) { page, send in await send(.arrived(await load(page))) }
  }
}

nonisolated extension Case {
  static let pagination = Case(
    name: "pages", symptom: "a page is in the list twice, or a refresh is followed by an old page"
  ) { say in
    let (gate, loaded) = (Gate(isOpen: true), Recorder<Int>())
    let store = Store(initialState: Pagination.State(), on: .immediate, reduce: Pagination.reduce)
    try store.recordIfAsked()
    Pagination.connect(to: store) { page in
      loaded.append(page)
      await gate.waitIgnoringCancellation()
      return Pagination.Page(items: ["\(page)a", "\(page)b"], next: page < 3 ? page + 1 : nil)
    }
    await store.settled()
    say("at first: \(store.state.items)")
    gate.close()
    for _ in 1...3 { store.dispatch(.endSeen) }
    gate.open()
    await store.settled()
    say("the end was seen three times: \(store.state.items), loaded \(loaded.values)")
    gate.close()
    store.dispatch(.endSeen)
    try await gate.waiters(atLeast: 1)
    store.dispatch(.pulledToRefresh)
    gate.open()
    await store.settled()
    say("refreshed while page 3 was loading: \(store.state.items)")
    await store.shutdown()
  }
}
