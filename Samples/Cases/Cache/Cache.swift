import Millrace
import MillraceTesting
import MillraceTrace

/// Articles that are kept, shown at once when they are wanted again, and reloaded when they have changed.
nonisolated enum Cache {
  struct Article: Equatable, Sendable {
    var text: String
    /// The requested version.
    var version: Int
  }

  struct Load: Codable, Hashable, Sendable {
    var id: String
    var version: Int
  }

  struct State: Equatable, Sendable {
    var shown: Set<String> = []
    var articles: [String: Article] = [:]
    /// The number of known changes of each article on the server.
    var versions: [String: Int] = [:]

    /// The shown articles whose newest version is missing. Articles that are not shown are not loaded.
    var loads: Set<Load> {
      Set(
        shown.map { Load(id: $0, version: versions[$0, default: 0]) }
          .filter { articles[$0.id]?.version != $0.version })
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case shown(Set<String>)
    case loaded(Load, String)
    case changed(String)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .shown(let ids): state.shown = ids
    case .loaded(let load, let text): state.articles[load.id] = Article(text: text, version: load.version)
    case .changed(let id): state.versions[id, default: 0] += 1
    }
  }

  static func connect(to store: Store<State, Action>, load: @escaping @Sendable (String) async -> String) {
    store.connect(when: \.loads) { request, send in await send(.loaded(request, await load(request.id))) }
  }
}

nonisolated extension Case {
  static let cache = Case(
    name: "cache", symptom: "an old article is shown after a new one, and each is loaded at every look"
  ) { say in
    let (server, loads, gate) = (Lock(["a": "a, first"]), Recorder<String>(), Gate(isOpen: true))
    let store = Store(initialState: Cache.State(), on: .immediate, reduce: Cache.reduce)
    try store.recordIfAsked()
    Cache.connect(to: store) { id in
      let text = server.withLock { $0[id] ?? "" }
      loads.append(id)
      await gate.waitIgnoringCancellation()
      return text
    }
    func tell(_ event: String) async {
      await store.settled()
      say("\(event): \(store.state.articles["a"]?.text ?? "nothing"), loads: \(loads.count)")
    }
    store.dispatch(.shown(["a"]))
    await tell("looked at")
    store.dispatch(.shown([]))
    store.dispatch(.shown(["a"]))
    await tell("looked at again")
    gate.close()
    store.dispatch(.changed("a"))
    try await gate.waiters(atLeast: 1)
    server.withLock { $0["a"] = "a, second" }
    store.dispatch(.changed("a"))
    try await gate.waiters(atLeast: 2)
    say("changed twice: \(store.state.articles["a"]?.text ?? "nothing"), while two loads are on their way")
    gate.open()
    await tell("loaded")
    store.dispatch(.shown([]))
    store.dispatch(.changed("a"))
    await tell("changed while nobody looks")
    await store.shutdown()
  }
}
