import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// A helper program that is restarted when it ends, unless it ends too often.
nonisolated enum SupervisedChild {
  struct Exit: Error, Equatable {
    var status: Int
  }

  struct State: Equatable, Sendable {
    var isWanted = false
    var isRunning = false
    var notice = ""

    var program: String? { isWanted ? "indexer" : nil }
  }

  enum Action: Codable, Equatable, Sendable {
    case wanted(Bool)
    case started
    case restarting(after: Int, in: Duration)
    case gaveUp(after: Int)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .wanted(let isWanted): (state.isWanted, state.isRunning, state.notice) = (isWanted, false, "")
    case .started: (state.isRunning, state.notice) = (true, "")
    case .restarting(let status, let delay):
      (state.isRunning, state.notice) = (false, "ended with \(status), again in \(delay)")
    case .gaveUp(let status):
      // The program is no longer asked for: only a person restarts it.
      (state.isWanted, state.isRunning, state.notice) = (false, false, "ended with \(status), given up")
    }
  }

  /// - Parameter run: runs the program and calls back once it has started. It throws when the program has ended.
  static func connect<C: Clock>(
    to store: Store<State, Action>, clock: C,
    run: @escaping @Sendable (String, Send<Action>) async throws(Exit) -> Void
  ) where C.Duration == Duration {
    let child = Effect(
      failure: { (exit: Exit, _: String) in Action.gaveUp(after: exit.status) },
      run: { (program: String, send: Send<Action>) async throws(Exit) in try await run(program, send) })
    let supervised = child.supervised(
      restarts: 2, within: .seconds(60), by: Backoff(first: .seconds(1), jitter: 0), clock: clock,
      restarting: { retry, _ in .restarting(after: retry.failure.status, in: retry.delay) })
    store.connect(supervised, when: \.program, longRunning: true)
  }
}

nonisolated extension Case {
  static let supervisedChild = Case(
    name: "child",
    symptom: "a helper died on Monday and nobody noticed, or it is started a thousand times a minute"
  ) { say in
    let (clock, exits) = (TestClock(), Gate())
    let store = Store(initialState: SupervisedChild.State(), on: .immediate, reduce: SupervisedChild.reduce)
    try store.recordIfAsked()
    SupervisedChild.connect(to: store, clock: clock) { _, send throws(SupervisedChild.Exit) in
      await send(.started)
      try? await exits.wait()
      throw SupervisedChild.Exit(status: 9)
    }
    store.dispatch(.wanted(true))
    for uptime in [5, 100, 5, 5] {
      try await exits.waiters(atLeast: 1)
      clock.advance(by: .seconds(uptime))
      exits.pass(1)
      guard let state = await store.first(where: { !$0.isRunning }) else { break }
      say("it ran for \(uptime) s, \(state.notice)")
      guard state.isWanted else { break }
      try await clock.sleepers(atLeast: 1)
      _ = clock.advanceToNextDeadline()
    }
    await store.shutdown()
  }
}
