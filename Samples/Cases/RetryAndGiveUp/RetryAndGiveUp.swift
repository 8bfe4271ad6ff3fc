import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// A page that is loaded again a few times after failures.
nonisolated enum RetryAndGiveUp {
  struct Offline: Error {}

  struct State: Equatable, Sendable {
    var page: String?
    var text: String?
    /// The message for the user during the retries and in the end.
    var notice = ""

    var pending: String? { text == nil ? page : nil }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened(String)
    case loaded(String)
    case retrying(attempt: Int, delay: Duration)
    case gaveUp
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .opened(let page): state = State(page: page)
    case .loaded(let text): (state.text, state.notice) = (text, "")
    case .retrying(let attempt, let delay): state.notice = "attempt \(attempt) in \(delay)"
    case .gaveUp: (state.page, state.notice) = (nil, "the server cannot be reached")
    }
  }

  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C,
    load: @escaping @Sendable (String) async throws(Offline) -> String
  ) where C.Duration == Duration {
    let loading = Effect(
      failure: { (_: Offline, _: String) in Action.gaveUp },
      run: { (page: String, send: Send<Action>) async throws(Offline) in
        await send(.loaded(try await load(page)))
      })
    let retried = loading.retried(
      times: 2, by: Backoff(first: .seconds(1), jitter: 0), clock: clock,
      action: { retry, _ in .retrying(attempt: retry.attempt, delay: retry.delay) })
    store.connect(retried, when: \.pending)
  }
}

nonisolated extension Case {
  static let retryAndGiveUp = Case(
    name: "retry", symptom: "one lost packet is an error message, and a dead server is asked for ever"
  ) { say in
    let (clock, calls) = (TestClock(), Recorder<String>())
    let store = Store(
      initialState: RetryAndGiveUp.State(), on: .immediate, reduce: RetryAndGiveUp.reduce)
    try store.recordIfAsked()
    RetryAndGiveUp.connect(to: store, clock: clock) { page throws(RetryAndGiveUp.Offline) in
      calls.append(page)
      guard page == "shaky", calls.count > 2 else { throw RetryAndGiveUp.Offline() }
      return "the page \(page)"
    }
    for page in ["shaky", "dead"] {
      store.dispatch(.opened(page))
      for seconds in 1...2 {
        try await clock.sleepers(atLeast: 1)
        say("\(page): \(store.state.notice)")
        clock.advance(by: .seconds(seconds))
      }
      await store.settled()
      say("\(page): \(store.state.text ?? store.state.notice)")
    }
    await store.shutdown()
  }
}
