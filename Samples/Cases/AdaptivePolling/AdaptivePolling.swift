import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// A job on a server that is asked for often while it moves, and seldom while it stands still.
nonisolated enum AdaptivePolling {
  struct State: Equatable, Sendable {
    var status = "unknown"
    var looks = 0
    var interval = Duration.seconds(1)
    var isDue = true

    /// Either the look or the wait for it is in the state, so that each begins anew after the other.
    var look: String? { isDue ? "job 7" : nil }
    var timers: Set<TimerRequest<String>> {
      isDue || status == "done" ? [] : [TimerRequest("look", .after(interval))]
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case due(TimerEvent<String>)
    case looked(String)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .due: state.isDue = true
    case .looked(let status):
      state.interval = status == state.status ? min(state.interval * 2, .seconds(30)) : .seconds(1)
      (state.status, state.isDue) = (status, false)
      state.looks += 1
    }
  }

  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C, look: @escaping @Sendable (String) async -> String
  ) where C.Duration == Duration {
    store.connect(when: \.look) { job, send in await send(.looked(await look(job))) }
    store.scope(computed: { $0.timers }, action: Action.due).connect(TimerEffect<String>(clock: clock))
  }
}

nonisolated extension Case {
  static let adaptivePolling = Case(
    name: "polling", symptom: "a job is asked for every second all night, or its end is seen a minute late"
  ) { say in
    let (clock, answers) = (TestClock(), Lock(["queued", "queued", "queued", "running", "running", "done"]))
    let store = Store(
      initialState: AdaptivePolling.State(), on: .immediate, reduce: AdaptivePolling.reduce)
    try store.recordIfAsked()
    AdaptivePolling.connect(to: store, clock: clock) { _ in answers.withLock { $0.removeFirst() } }
    while true {
      guard let state = await store.first(where: { !$0.isDue }) else { break }
      guard state.status != "done" else {
        say("done after \(state.looks) looks")
        break
      }
      say("\(state.status), the next look in \(state.interval)")
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: state.interval)
      _ = await store.first { $0.looks > state.looks }
    }
    await store.shutdown()
  }
}
