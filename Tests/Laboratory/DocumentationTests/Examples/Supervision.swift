import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct SupervisionExamples {
  // ADaemon
  struct Station: Equatable, Sendable {
    struct Link: Equatable, Identifiable, Sendable {
      var id = 1
      var feeds: Set = ["prices", "news"]
    }
    var link: Link? = Link()
    var renewals = 0
    var timers: Set<TimerRequest<String>> = []
    var isBroken = false
  }

  enum StationAction: Equatable, Sendable {
    case restarting(String, after: Broken)
    case lost(String, Broken)
    case timer(TimerEvent<String>)
    case received(String)
  }

  static func reduce(_ state: inout Station, _ action: StationAction) {
    switch action {
    // ADaemon
    case .lost where state.renewals < 2:
      state.renewals += 1
      state.timers = [TimerRequest("quiet", .after(.seconds(600)))]
      state.link = state.link.map { Station.Link(id: $0.id + 1) }
    case .lost: (state.link, state.isBroken) = (nil, true)
    case .timer(.fired): (state.renewals, state.timers) = (0, [])
    case .timer, .restarting, .received: break
    }
  }

  struct Broken: Error, Equatable {}

  struct FeedEffect: EffectComponent {
    let began: Recorder<String>
    func requests(in feeds: Set<String>) -> Set<String> { feeds }
    func run(_ name: String, send: Send<StationAction>) async throws(Broken) {
      began.append(name)
      await send(.received(name))
      if name == "news" { throw Broken() }
    }
    func action(for failure: Broken, of name: String) -> StationAction { .lost(name, failure) }
  }

  @Test("a tree of supervision: a run begins again, then its part of the state does, then the program ends")
  func tree() async {
    let (clock, began) = (TestClock(), Recorder<String>())
    let feedEffect = FeedEffect(began: began)
    let store = Store(initialState: Station(), reduce: Self.reduce)
    let backoff = Backoff(first: .zero, jitter: 0)
    // ADaemon
    let feeds = feedEffect.supervised(
      restarts: 3, within: .seconds(10), by: backoff, clock: clock,
      restarting: { restart, name in .restarting(name, after: restart.failure) },
      givingUp: { failure, name in .lost(name, failure) })
    store.connectIfPresent(\.link, action: \StationAction.self) { link in
      link.connect(feeds, to: \.feeds, longRunning: true)
    }
    store.connect(TimerEffect(clock: clock), to: \.timers, action: StationAction.timer, longRunning: true)
    // ADaemon
    _ = await store.first { $0.isBroken }
    await store.shutdown()
    #expect(began.values.count { $0 == "news" } == 3 * 4, "a run and three restarts in each of three lives")
    #expect(began.values.count { $0 == "prices" } <= 3)
    #expect(store.state.renewals == 2 && store.state.link == nil)
  }

  private func simple(_ store: Store<Feeds, StationAction>, _ effect: FeedEffect) {
    // SupervisedEffect
    let feed = effect.supervised(restarts: 3, within: .seconds(10)) { restart, name in
      .restarting(name, after: restart.failure)
    }
    store.connect(feed, to: \.feeds, longRunning: true)
  }

  struct Feeds: Sendable { var feeds: Set<String> = [] }
}
