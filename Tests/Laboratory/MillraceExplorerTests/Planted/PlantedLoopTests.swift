import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Features that go on for ever, or do not go on.
@Suite struct PlantedLoopTests {
  /// A reconnection after a pause, which gives up after two attempts.
  enum Reconnection {
    struct State: Hashable, Sendable {
      enum Phase: Hashable, Sendable { case connecting, waiting, online, offline }
      var phase = Phase.connecting
      var attempt = 1

      var timers: Set<TimerRequest<String>> {
        phase == .waiting ? [TimerRequest("pause", .after(.seconds(5)))] : []
      }
    }

    enum Action: Hashable, Sendable {
      case connected
      case failed
      case timer(TimerEvent<String>)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .connected: state.phase = .online
        case .failed: state.phase = state.attempt < 2 ? .waiting : .offline
        case .timer:
          state.phase = .connecting
          if isRight { state.attempt += 1 }
        }
      } connect: { store in
        store.connect(
          fallible(String.self) { _ in Action.failed }.timingOut(
            after: .seconds(3), failure: { _ in Offline() }),
          when: { $0.phase == .connecting ? "line" : nil }, named: "line")
        store.connect(TimerEffect(), to: \.timers, action: Action.timer, named: "timer")
      }
      .outcomes(of: String.self) { _ in [.answers(.connected)] }
      .eventually("it is online, or gives up") { [.online, .offline].contains($0.phase) }
    }
  }

  @Test("livelock: attempts that are not counted", arguments: [false, true])
  func uncountedAttempts(isRight: Bool) async throws {
    let explorer = Reconnection.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 2) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      if store.inProgress().contains("line") { store.fail("line", with: Offline()) }
      if store.inProgress().contains(TimerRequest<String>("pause", .after(Duration.seconds(5)), tolerance: nil)) { store.answer(TimerRequest<String>("pause", .after(Duration.seconds(5)), tolerance: nil), with: TimerEvent<String>.fired("pause", TimerTick(count: 1, due: Duration.seconds(5), missed: 0))) }
      #expect(!(store.state == PlantedLoopTests.Reconnection.State(phase: .connecting, attempt: 1) && Set(store.running) == [AnyHashable("line")]))
      await store.finish()
    }
  }

  /// Jobs that are done one after the other, of which one can never be done.
  enum Jobs {
    struct State: Hashable, Sendable { var jobs = ["good", "bad", "late"] }

    enum Action: Hashable, Sendable {
      case done(String)
      case failed(String)
      case again, begun
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .done(let job): state.jobs.removeAll { $0 == job }
        case .failed(let job): if isRight { state.jobs.removeAll { $0 == job } }
        case .again: break
        case .begun: state = State()
        }
      } connect: { store in
        store.connect(
          fallible(String.self) { Action.failed($0) }
            .retried(times: 1, by: Backoff(jitter: 0), action: { _, _ in .again }).rateLimited(
              by: TokenBucket(capacity: 1, refilledEvery: .seconds(1))),
          when: { $0.jobs.first }, named: "job")
      }
      .userActions { $0.jobs.count < 3 ? [.begun] : [] }
      .outcomes(of: String.self) { $0 == "bad" ? [.fails(Offline())] : [.answers(.done($0))] }
      .alwaysReachable("all is done") { $0.jobs.isEmpty }
    }
  }

  @Test("stuck queue: a job that fails stays the first", arguments: [false, true])
  func stuckQueue(isRight: Bool) async throws {
    let explorer = Jobs.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 6) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      if store.inProgress().contains("good") { store.answer("good", with: .done("good")) }
      if store.inProgress().contains("bad") { store.send(.again, from: "bad") }
      if store.inProgress().contains("bad") { store.fail("bad", with: Offline()) }
      #expect(!(store.state == PlantedLoopTests.Jobs.State(jobs: ["bad", "late"]) && store.running.isEmpty))
      await store.finish()
    }
  }
}
