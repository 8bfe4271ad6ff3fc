import Millrace
import MillraceTesting
import MillraceTrace

/// Pages that need a token. An expired token is fetched once for all of them.
nonisolated enum SharedRefresh {
  enum Refusal: Error { case expired }

  struct State: Equatable, Sendable {
    /// The token; `nil` if there is no valid one.
    var token: String?
    var wanted: Set<Int> = []
    var pages: [Int: String] = [:]

    var loads: Set<Load> {
      token.map { token in Set(wanted.map { Load(page: $0, token: token) }) } ?? []
    }
    var refresh: String? { token == nil && !wanted.isEmpty ? "token" : nil }
  }

  /// The token belongs to the request, so another token makes another request.
  struct Load: Hashable, Sendable {
    var page: Int
    var token: String
  }

  enum Action: Codable, Equatable, Sendable {
    case wanted(Set<Int>)
    case loaded(Int, String)
    case refused(token: String)
    case refreshed(String)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .wanted(let pages): state.wanted.formUnion(pages)
    case .loaded(let page, let text):
      state.wanted.remove(page)
      state.pages[page] = text
    case .refused(let token): if state.token == token { state.token = nil }
    case .refreshed(let token): state.token = token
    }
  }

  static func connect(
    to store: Store<State, Action>, load: @escaping @Sendable (Load) async throws(Refusal) -> String,
    refresh: @escaping @Sendable () async -> String
  ) {
    store.connect(
      when: \.loads, failure: { (_: Refusal, load: Load) in Action.refused(token: load.token) },
      run: { request, send throws(Refusal) in await send(.loaded(request.page, try await load(request))) })
    store.connect(when: \.refresh) { _, send in await send(.refreshed(await refresh())) }
  }
}

nonisolated extension Case {
  static let sharedRefresh = Case(
    name: "refresh", symptom: "five requests are refused at once, and five tokens are fetched"
  ) { say in
    let refreshes = Recorder<String>()
    let store = Store(
      initialState: SharedRefresh.State(token: "old"), on: .immediate, reduce: SharedRefresh.reduce)
    try store.recordIfAsked()
    SharedRefresh.connect(
      to: store,
      load: { load throws(SharedRefresh.Refusal) in
        if load.token == "old" { throw .expired }
        return "page \(load.page) by \(load.token)"
      },
      refresh: {
        refreshes.append("new")
        return "new"
      })
    store.dispatch(.wanted([1, 2, 3, 4, 5]))
    await store.settled()
    for (_, text) in store.state.pages.sorted(by: { $0.key < $1.key }) { say(text) }
    say("\(refreshes.count) token was fetched")
    await store.shutdown()
  }
}
