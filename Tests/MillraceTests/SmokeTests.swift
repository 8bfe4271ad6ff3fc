import Millrace
import Testing

enum Smoke {
  struct State: Equatable, Sendable {
    var count = 0
    var query: String?
    var results: [String] = []
  }
  enum Action: Sendable, Equatable {
    case add(Int)
    case ask(String?)
    case arrived(String)
  }
  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .add(let step): state.count += step
    case .ask(let query): state.query = query
    case .arrived(let result):
      state.results.append(result)
      state.query = nil
    }
  }
}

actor Log<Props: Equatable & Sendable>: Component {
  var all: [Props] = []
  func update(_ props: Props) { all.append(props) }
}

@Suite struct SmokeTests {
  @Test(arguments: [true, false]) func effectRoundTrip(immediate: Bool) async {
    let store = Store(
      initialState: Smoke.State(), on: immediate ? .immediate : .serial(), reduce: Smoke.reduce)
    let log = Log<Int>()
    store.connect(log, to: \.count)
    store.connect(when: \.query) { query, send in
      let fate = await send(.arrived(query + "!"))
      #expect(fate == .reduced)
    }
    store.dispatch(.add(1))
    store.dispatch(.ask("x"))
    await store.settled()
    #expect(store.state == Smoke.State(count: 1, query: nil, results: ["x!"]))
    await store.settled()
    #expect(await log.all.last == 1)
    print(store.activity)
    let report = await store.shutdown()
    #expect(report.isClean)
    #expect(!store.dispatch(.add(1)))
  }
}
