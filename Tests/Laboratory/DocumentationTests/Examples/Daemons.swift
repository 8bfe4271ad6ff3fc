import Millrace
import MillraceEffects
import MillraceSystem
import MillraceTesting
import Testing

// ADaemon
struct Daemon: Equatable, Sendable {
  var signals: Set<ProcessSignal> = [.interrupt, .terminate]
  var stopped = false
  var timers: Set = [TimerRequest("poll", .every(.seconds(60)))]
  var polls = 0
  var unsent: Set<String> = []
}

enum DaemonAction: Sendable {
  case signal(SignalEvent)
  case timer(TimerEvent<String>)
  case sent(String)
}

func reduceDaemon(_ state: inout Daemon, _ action: DaemonAction) {
  switch action {
  case .signal(.received): (state.stopped, state.signals, state.timers) = (true, [], [])
  case .signal: break  // the effect listens now, or cannot
  case .timer:
    state.polls += 1
    state.unsent.insert("poll \(state.polls)")
  case .sent(let line): state.unsent.remove(line)
  }
}

@Suite struct DaemonExamples {
  @Test("a daemon runs until a signal, and delivers its last result in the graceful time")
  func daemon() async throws {
    let outbox = Recorder<String>()
    @Sendable func deliver(_ line: String) async { outbox.append(line) }
    let clock = TestClock()
    // ADaemon
    let store = Store(initialState: Daemon(), reduce: reduceDaemon)
    store.connect(SignalEffect(), to: \.signals, action: DaemonAction.signal, longRunning: true)
    store.connect(TimerEffect(clock: clock), to: \.timers, action: DaemonAction.timer, longRunning: true)
    store.connect(when: \.unsent) { line, send in
      await deliver(line)
      await send(.sent(line))
    }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    _ = await store.first { $0.polls == 1 }
    try await outbox.values(atLeast: 1)  // the delivery has begun: a run that has not is stopped without it
    Task { store.dispatch(.signal(.received(.terminate))) }
    // ADaemon
    _ = await store.first { $0.stopped }
    let report = await store.shutdown(graceful: .seconds(2), hard: .seconds(5))
    if !report.isClean { print(report) }
    #expect(report.isClean)
    #expect(outbox.values == ["poll 1"])
  }

  struct Served: Equatable, Sendable {
    var service = ServiceStatus()
  }

  enum AppAction: Sendable { case service(ServiceEvent) }

  @Test("without a service manager nothing is told")
  func service() async {
    let store = Store(initialState: Served()) { (state: inout Served, action: AppAction) in
      // ServiceStatus
      var service = ServiceStatus()
      service.text = "12 feeds"
      service.phase = .ready
      state.service = service
    }
    let environment: [String: String] = [:]
    store.connect(
      ServiceEffect(environment: environment), to: \.service, action: AppAction.service, longRunning: true)
    // ServiceEffect
    await store.settled()
    #expect(store.activity.reduced == 0)
  }

  private func connect(_ store: Store<Served, AppAction>) {
    // ServiceEffect
    store.connect(ServiceEffect(), to: \.service, action: AppAction.service, longRunning: true)
  }
}
