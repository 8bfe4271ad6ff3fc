import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// A job of several parts with a time limit for the whole.
nonisolated enum WholeDeadline {
  struct State: Equatable, Sendable {
    var missing: Set<String> = []
    var done: [String] = []
    var outcome = ""

    var timers: Set<TimerRequest<String>> {
      missing.isEmpty ? [] : [TimerRequest("deadline", .after(.seconds(10)))]
    }
  }

  enum Action: Codable, Sendable {
    case began([String])
    case finished(String)
    case timer(TimerEvent<String>)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .began(let parts): state = State(missing: Set(parts))
    case .finished(let part):
      state.missing.remove(part)
      state.done.append(part)
      if state.missing.isEmpty { state.outcome = "all is done" }
    case .timer:
      state.outcome = "too late for \(state.missing.sorted().joined(separator: " and "))"
      state.missing = []
    }
  }

  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C, perform: @escaping @Sendable (String) async throws -> Void
  ) where C.Duration == Duration {
    store.connect(when: \.missing) { part, send in
      guard (try? await perform(part)) != nil else { return }
      await send(.finished(part))
    }
    store.scope(computed: { $0.timers }, action: Action.timer).connect(TimerEffect<String>(clock: clock))
  }
}

nonisolated extension Case {
  static let wholeDeadline = Case(
    name: "deadline", symptom: "each step is in time, and the whole takes for ever"
  ) { say in
    let clock = TestClock()
    let store = Store(
      initialState: WholeDeadline.State(), on: .immediate, reduce: WholeDeadline.reduce)
    try store.recordIfAsked()
    WholeDeadline.connect(to: store, clock: clock) { part in
      try await clock.sleep(for: .seconds(part.count))
    }
    for (parts, moments) in [
      (["thumbnail", "text"], [4, 5]), (["thumbnail", "transcript of the film"], [9, 1]),
    ] {
      store.dispatch(.began(parts))
      try await clock.sleepers(atLeast: 3)
      for (count, seconds) in moments.enumerated() {
        clock.advance(by: .seconds(seconds))
        _ = await store.first { $0.done.count > count || !$0.outcome.isEmpty }
      }
      await store.settled()
      say("\(parts): \(store.state.outcome); done: \(store.state.done)")
    }
    await store.shutdown()
  }
}
