import Millrace
import MillraceTestStore
import Testing

/// Loads that need a token. When it has expired, one refresh serves all of them.
private enum Session {
  enum Problem: Error, Equatable { case expired, offline }

  enum Token: Hashable, Sendable {
    case valid(String)
    case refreshing(String)
    case lost
  }

  struct State: Equatable, Sendable {
    var token = Token.valid("old")
    var asked: Set<Int> = []
    var pages: [Int: String] = [:]
  }

  enum Action: Equatable, Sendable {
    case asked(Int)
    case arrived(Int, String)
    case failed(Int, Problem, token: String)
    case refreshed(String)
    case refreshFailed
  }

  struct Load: Hashable { let page: Int, token: String }
  struct Refresh: Hashable { let token: String }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .asked(let page): state.asked.insert(page)
    case .arrived(let page, let text):
      state.asked.remove(page)
      state.pages[page] = text
    // Who says it of a token that was replaced meanwhile, says nothing new.
    case .failed(_, .expired, let token): if state.token == .valid(token) { state.token = .refreshing(token) }
    case .failed(let page, .offline, _): state.asked.remove(page)
    case .refreshed(let token): state.token = .valid(token)
    case .refreshFailed: (state.token, state.asked) = (.lost, [])
    }
  }

  struct Client: Sendable {
    var page: @Sendable (Int, _ token: String) async throws(Problem) -> String
    var refresh: @Sendable (String) async throws(Problem) -> String
  }

  struct Loads: EffectComponent {
    let client: Client
    func requests(in state: State) -> Set<Load> {
      guard case .valid(let token) = state.token else { return [] }
      return Set(state.asked.map { Load(page: $0, token: token) })
    }
    func run(_ load: Load, send: Send<Action>) async throws(Problem) {
      await send(.arrived(load.page, try await client.page(load.page, load.token)))
    }
    func action(for problem: Problem, of load: Load) -> Action {
      .failed(load.page, problem, token: load.token)
    }
  }

  struct Refreshing: EffectComponent {
    let client: Client
    func requests(in token: Token) -> Set<Refresh> {
      if case .refreshing(let old) = token { [Refresh(token: old)] } else { [] }
    }
    func run(_ refresh: Refresh, send: Send<Action>) async throws(Problem) {
      await send(.refreshed(try await client.refresh(refresh.token)))
    }
    func action(for problem: Problem, of refresh: Refresh) -> Action { .refreshFailed }
  }

  static func connect(to store: Store<State, Action>, client: Client) {
    store.connect(Loads(client: client))
    store.connect(Refreshing(client: client), to: \.token)
  }

  /// A client that a test by hand never calls.
  static var client: Client {
    Client(
      page: unimplemented("Session.Client.page", throwing: Problem.offline),
      refresh: unimplemented("Session.Client.refresh", throwing: Problem.offline))
  }
}

extension FeatureTests {
  @Test("ten loads with an expired token share one refresh, and are done again with its token") func token()
    async
  {
    let store = TestStore(initialState: .init(), reduce: Session.reduce) {
      Session.connect(to: $0, client: Session.client)
    }
    for page in 1...10 { store.send(.asked(page)) { $0.asked.insert(page) } }
    store.fail(Session.Load(page: 1, token: "old"), with: Session.Problem.expired) {
      $0.token = .refreshing("old")
    }
    store.expect(stopped: (2...10).map { Session.Load(page: $0, token: "old") })
    store.expect(running: Session.Refresh(token: "old"))
    store.answer(Session.Refresh(token: "old"), with: .refreshed("new")) { $0.token = .valid("new") }
    for page in 1...10 {
      store.answer(Session.Load(page: page, token: "new"), with: .arrived(page, "text")) {
        $0.asked.remove(page)
        $0.pages[page] = "text"
      }
    }
    store.send(.asked(11)) { $0.asked = [11] }
    store.fail(Session.Load(page: 11, token: "new"), with: Session.Problem.expired) {
      $0.token = .refreshing("new")
    }
    store.fail(Session.Refresh(token: "new"), with: Session.Problem.offline) {
      ($0.token, $0.asked) = (.lost, [])
    }
    await store.finish()
  }
}
