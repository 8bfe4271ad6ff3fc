import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// A counter that looks up a fact about its number.
private enum Facts {
  struct State: Equatable, Sendable {
    var count = 0
    var fact: String?
    var isAsking = false
  }

  enum Action: Equatable, Sendable {
    case incremented
    case factAsked
    case factArrived(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .incremented: state = State(count: state.count + 1)
    case .factAsked: state.isAsking = true
    case .factArrived(let fact): state = State(count: state.count, fact: fact)
    }
  }

  struct Lookup: EffectComponent {
    let fact: @Sendable (Int) async -> String
    func requests(in state: State) -> Set<Int> { state.isAsking ? [state.count] : [] }
    func run(_ number: Int, send: Send<Action>) async { await send(.factArrived(fact(number))) }
  }
}

extension FeatureTests {
  @Test("a counter shows the fact about its last number") func counter() async {
    let lookup = Facts.Lookup(fact: unimplemented("fact", placeholder: ""))
    let store = TestStore(initialState: .init(), reduce: Facts.reduce) { $0.connect(lookup) }
    store.send(.factAsked) { $0.isAsking = true }
    store.send(.incremented) { ($0.count, $0.isAsking) = (1, false) }
    store.expect(stopped: 0)
    store.send(.factAsked) { $0.isAsking = true }
    store.answer(1, with: .factArrived("one")) { ($0.fact, $0.isAsking) = ("one", false) }
    await store.finish()
  }

  @Test("the counter in a plain store") func counterBefore() async throws {
    let (gate, asked) = (Gate(), Recorder<Int>())
    let lookup = Facts.Lookup { number in
      asked.append(number)
      await gate.waitIgnoringCancellation()
      return number == 1 ? "one" : "late"
    }
    let store = Store(initialState: Facts.State(), on: .immediate, reduce: Facts.reduce)
    store.connect(lookup)
    store.dispatch(.factAsked)
    #expect(store.state == Facts.State(isAsking: true))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.incremented)
    #expect(store.state == Facts.State(count: 1))
    store.dispatch(.factAsked)
    #expect(store.state == Facts.State(count: 1, isAsking: true))
    try await gate.waiters(atLeast: 2)
    gate.open()
    await store.settled()
    #expect(store.state == Facts.State(count: 1, fact: "one"))
    #expect(asked.values == [0, 1] && store.activity.fenced == 1)
    #expect(await store.shutdown().isClean)
  }
}
