import Millrace
import MillraceTrace

/// The feature whose files are kept: things to buy, whose prices an effect looks up.
enum Errands {
  struct State: Codable, Hashable, Sendable {
    var wanted: [String] = []
    var prices: [String: Int] = [:]
  }

  enum Action: Codable, Hashable, Sendable {
    case wanted(String)
    case priced(String, Int)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .wanted(let title): state.wanted.append(title)
    case .priced(let title, let price): state.prices[title] = price
    }
  }

  struct Lookup: Codable, Hashable, Sendable {
    var title: String
  }

  struct LookupEffect: EffectComponent {
    /// What a later version of the program asks for instead of a title.
    var asked: @Sendable (String) -> String = { $0 }

    func requests(in state: State) -> Set<Lookup> {
      Set(state.wanted.filter { state.prices[$0] == nil }.map { Lookup(title: asked($0)) })
    }

    func run(_ lookup: Lookup, send: Send<Action>) async {
      // Of bread nothing is known yet.
      if lookup.title != "bread" { await send(.priced(lookup.title, lookup.title.utf8.count)) }
    }
  }

  static let state = State(wanted: ["milk", "bread"], prices: ["milk": 4])
  static let lookups: Set = [Lookup(title: "bread")]
  static let entries = ["milk": 4, "bread": 0]

  /// The state of a program that keeps prices in a journal, 0 for those that are not known.
  static func state(of entries: [String: Int]) -> State {
    State(wanted: entries.keys.sorted(), prices: entries.filter { $0.value > 0 })
  }

  /// Records the errands of a program.
  static func record(to destination: TraceDestination, build: String? = nil) async throws {
    let store = Store(initialState: State(), reduce: reduce)
    let recording = try store.record(to: destination, build: build)
    store.connect(LookupEffect(), named: "lookups")
    for title in state.wanted {
      await store.send(.wanted(title))
      await store.settled()
    }
    try await recording.finish()
  }
}
