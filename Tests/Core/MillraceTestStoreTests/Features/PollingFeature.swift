import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// A price that is asked for every five seconds while somebody looks.
private enum Quotes {
  struct Offline: Error, Equatable {}

  struct State: Equatable, Sendable {
    var isVisible = false
    var price: Int?
    var failures = 0
  }

  enum Action: Equatable, Sendable {
    case visible(Bool)
    case arrived(Int)
    case failed
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .visible(let isVisible): state.isVisible = isVisible
    case .arrived(let price): (state.price, state.failures) = (price, 0)
    case .failed: state.failures += 1
    }
  }

  struct Poll: EffectComponent {
    enum Request: Hashable { case everyFiveSeconds }
    let clock: any Clock<Duration>
    let price: @Sendable () async throws(Offline) -> Int
    func requests(in state: State) -> Set<Request> { state.isVisible ? [.everyFiveSeconds] : [] }
    func run(_ request: Request, send: Send<Action>) async {
      repeat {
        do throws(Offline) { await send(.arrived(try await price())) } catch { await send(.failed) }
      } while (try? await clock.sleep(for: .seconds(5))) != nil
    }
  }
}

extension FeatureTests {
  @Test("a price is polled while somebody looks, and a failure does not end that") func polling() async {
    let (clock, prices) = (TestClock(), Script<Quotes.Offline, Int>(10, nil, 12) { Quotes.Offline() })
    let poll = Quotes.Poll(clock: clock) { () throws(Quotes.Offline) in try prices.next() }
    let store = TestStore(initialState: .init(), serving: .bodies, reduce: Quotes.reduce) { $0.connect(poll) }
    store.send(.visible(true)) { $0.isVisible = true }
    await store.receive(.arrived(10)) { $0.price = 10 }
    await store.advance(clock, by: .seconds(5))
    await store.receive(.failed) { $0.failures = 1 }
    await store.advance(clock, by: .seconds(5))
    await store.receive(.arrived(12)) { ($0.price, $0.failures) = (12, 0) }
    store.send(.visible(false)) { $0.isVisible = false }
    await store.finish()
  }

  @Test("polling in a plain store") func pollingBefore() async throws {
    let (clock, prices) = (TestClock(), Script<Quotes.Offline, Int>(10, nil, 12) { Quotes.Offline() })
    let poll = Quotes.Poll(clock: clock) { () throws(Quotes.Offline) in try prices.next() }
    let store = Store(initialState: Quotes.State(), on: .immediate, reduce: Quotes.reduce)
    store.connect(poll)
    store.dispatch(.visible(true))
    try await clock.sleepers(atLeast: 1)
    #expect(store.state == Quotes.State(isVisible: true, price: 10))
    clock.advance(by: .seconds(5))
    try await clock.sleepers(atLeast: 1)
    #expect(store.state == Quotes.State(isVisible: true, price: 10, failures: 1))
    clock.advance(by: .seconds(5))
    try await clock.sleepers(atLeast: 1)
    #expect(store.state == Quotes.State(isVisible: true, price: 12))
    store.dispatch(.visible(false))
    #expect(store.state == Quotes.State(price: 12))
    await store.settled()
    #expect(clock.sleepers.isEmpty)
    #expect(store.activity.reduced == 5)
    #expect(await store.shutdown().isClean)
  }
}
