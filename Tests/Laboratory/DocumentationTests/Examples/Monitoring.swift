import Millrace
import MillraceEffects
import MillraceSystem
import MillraceTesting
import Testing

// LoggingAndExitCodes
enum Outcome: Equatable, Sendable {
  case done
  /// The program has done its work, and the answer is no.
  case problems(Int)
  case misused(String)
  case stopped(ProcessSignal)
}

extension Outcome {
  var exitStatus: Int32 {
    switch self {
    case .done: 0
    case .problems: 1
    case .misused: 2
    case .stopped(let signal): 128 + signal.number
    }
  }
}

/// A command that checks files, and ends with what came of it.
enum Checking {
  struct State: Equatable, Sendable {
    var signals: Set<ProcessSignal> = [.interrupt, .terminate, .user1]
    var unchecked: Set<String>
    var problems = 0
    var outcome: Outcome?
  }

  enum Action: Sendable {
    case checked(String, isGood: Bool)
    case signal(SignalEvent)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    // LoggingAndExitCodes
    case .checked(let file, let isGood):
      state.unchecked.remove(file)
      if !isGood { state.problems += 1 }
      guard state.unchecked.isEmpty, state.outcome == nil else { return }
      state.outcome = state.problems == 0 ? .done : .problems(state.problems)
    case .signal(.received(.user1)): break  // the log prints what is in progress
    case .signal(.received(let signal)):
      (state.signals, state.unchecked) = ([], [])
      state.outcome = state.outcome ?? .stopped(signal)
    case .signal: break
    }
  }

  static func connect(to store: Store<State, Action>, check: @escaping @Sendable (String) async -> Bool) {
    store.connect(SignalEffect(), to: \.signals, action: Action.signal, longRunning: true)
    store.connect(when: \.unchecked, named: "check") { file, send in
      await send(.checked(file, isGood: await check(file)))
    }
  }

  // LoggingAndExitCodes
  static func status(of store: Store<State, Action>) async -> Int32 {
    let end = await store.first { $0.outcome != nil }
    let report = await store.shutdown(graceful: .seconds(2), hard: .seconds(5))
    if !report.isClean {
      try? TerminalOutput.standardError.write("check: not ended in time\n\(report)\n")
    }
    return end?.outcome?.exitStatus ?? 2
  }
}

@Suite struct MonitoringExamples {
  @Test("a log has a line for what matters")
  func log() async {
    let lines = Recorder<String>()
    @Sendable func log(_ line: String) { lines.append(line) }
    let store = Store(initialState: Daemon(), reduce: reduceDaemon)
    // LoggingAndExitCodes
    store.onAction(named: "log") { action, daemon in
      if case .sent(let line) = action {
        log("delivered \(TerminalText.visible(line)), \(daemon.unsent.count) left")
      }
    }
    store.dispatch(.sent("poll 1"))
    await store.settled()
    #expect(lines.values == ["delivered poll 1, 0 left"])
  }

  @Test("a program ends with the status of its outcome", arguments: [true, false])
  func status(isGood: Bool) async {
    let lines = Recorder<String>()
    let store = Store(
      initialState: Checking.State(unchecked: ["a", "b"]), reduce: Checking.reduce)
    store.onAction(named: "log") { action, _ in
      if case .checked(let file, let isGood) = action {
        lines.append("\(TerminalText.visible(file)): \(isGood ? "good" : "broken")")
      }
    }
    Checking.connect(to: store) { _ in isGood }
    #expect(await Checking.status(of: store) == (isGood ? 0 : 1))
    #expect(lines.values.count == 2)
  }

  @Test("what is in progress is printed on a signal")
  func activity() async {
    let printed = Recorder<String>()
    @Sendable func log(_ text: String) { printed.append(text) }
    let store = Store(initialState: Checking.State(unchecked: ["a"]), reduce: Checking.reduce)
    // LoggingAndExitCodes
    store.onAction(named: "status") { [weak store] action, _ in
      if case .signal(.received(.user1)) = action, let store { log("\(store.activity)") }
    }
    store.dispatch(.signal(.received(.user1)))
    await store.settled()
    #expect(printed.values.count == 1)
  }
}
