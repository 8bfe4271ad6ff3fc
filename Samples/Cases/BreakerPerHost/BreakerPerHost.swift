import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// Feeds of several hosts. A dead host is left alone for a while, without effect on the others.
nonisolated enum BreakerPerHost {
  struct Dead: Error {}

  struct Feed: Codable, Hashable, Sendable {
    var host: String
    var round: Int
  }

  struct State: Equatable, Sendable {
    var wanted: Set<Feed> = []
    var round = 0
    var notes: [String: String] = [:]
  }

  enum Action: Codable, Equatable, Sendable {
    case refresh
    case loaded(Feed)
    case failed(Feed)
    case leftAlone(Feed, for: Duration?)
  }

  static let hosts = ["alive.org", "dead.org"]

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    func ended(_ feed: Feed, _ note: String) {
      state.wanted.remove(feed)
      state.notes[feed.host] = note
    }
    switch action {
    case .refresh:
      state.round += 1
      state.wanted = Set(hosts.map { Feed(host: $0, round: state.round) })
    case .loaded(let feed): ended(feed, "loaded")
    case .failed(let feed): ended(feed, "failed")
    case .leftAlone(let feed, let time): ended(feed, "left alone" + (time.map { " for \($0)" } ?? ""))
    }
  }

  static func connect(
    to store: Store<State, Action>, breakers: CircuitBreakers<String>,
    load: @escaping @Sendable (Feed) async throws(Dead) -> Void
  ) {
    let loading = Effect(
      failure: { (_: Dead, feed: Feed) in Action.failed(feed) },
      run: { (feed: Feed, send: Send<Action>) async throws(Dead) in
        try await load(feed)
        await send(.loaded(feed))
      })
    store.connect(
      loading.guarded(by: breakers, per: \.host, action: { .leftAlone($1, for: $0.retryDelay) }),
      when: \.wanted)
  }
}

nonisolated extension Case {
  static let breakerPerHost = Case(
    name: "breaker", symptom: "one dead host is asked at every refresh, and everything waits for its timeout"
  ) { say in
    let (clock, asked) = (TestClock(), Recorder<String>())
    let store = Store(initialState: BreakerPerHost.State(), on: .immediate, reduce: BreakerPerHost.reduce)
    try store.recordIfAsked()
    let breakers = CircuitBreakers<String> { _ in
      CircuitBreaker(failureThreshold: 2, resetTimeout: .seconds(30), clock: clock)
    }
    BreakerPerHost.connect(to: store, breakers: breakers) { feed throws(BreakerPerHost.Dead) in
      asked.append(feed.host)
      if feed.host == "dead.org", feed.round < 5 { throw BreakerPerHost.Dead() }
    }
    for seconds in [0, 10, 10, 10, 20] {
      clock.advance(by: .seconds(seconds))
      store.dispatch(.refresh)
      await store.settled()
      say(BreakerPerHost.hosts.map { "\($0) \(store.state.notes[$0] ?? "")" }.joined(separator: ", "))
    }
    say("dead.org was asked \(asked.values.count { $0 == "dead.org" }) times")
    await store.shutdown()
  }
}
