import Millrace
import MillraceEffects
import MillraceSystem
import MillraceTesting
import Testing

@Suite struct CommandExamples {
  // ProgramsAndTheTerminal, commands one after the other
  struct Release: Equatable, Sendable {
    var commands: [SubprocessRequest<String>] = []
    var problem: String?
    var next: Set<SubprocessRequest<String>> { Set(commands.prefix(1)) }
  }

  enum ReleaseAction: Sendable {
    case command(SubprocessEvent<String>)
  }

  static func reduce(_ state: inout Release, _ action: ReleaseAction) {
    switch action {
    // ProgramsAndTheTerminal, commands one after the other
    case .command(.ended(_, let end)) where end.isSuccess: state.commands.removeFirst()
    case .command(.ended(let name, let end)):
      (state.commands, state.problem) = ([], "\(name): \(end)")
    case .command(.failed(let name, let failure)):
      (state.commands, state.problem) = ([], "\(name): \(failure)")
    case .command: break  // it has started, or wrote a line
    }
  }

  private func store(_ commands: [SubprocessRequest<String>], _ clock: TestClock) -> Store<
    Release, ReleaseAction
  > {
    let store = Store(initialState: Release(commands: commands), reduce: Self.reduce)
    // ProgramsAndTheTerminal, commands one after the other
    let commands = SubprocessEffect<String>()
      .timingOut(after: .seconds(600), clock: clock, failure: { _ in .timedOut })
    store.connect(commands, to: \.next, action: ReleaseAction.command)
    return store
  }

  @Test("commands run one after the other, up to the first that fails or takes too long")
  func release() async throws {
    let clock = TestClock()
    let failing = store(
      [
        SubprocessRequest("say", "echo"), SubprocessRequest("fail", "false"), SubprocessRequest("no", "echo"),
      ],
      clock)
    _ = await failing.first { $0.commands.isEmpty }
    #expect(failing.state.problem == "fail: \(SubprocessTermination.exited(status: 1))")
    await failing.shutdown()
    let hanging = store(
      [SubprocessRequest("hang", "sleep", ["1000"]), SubprocessRequest("no", "echo")], clock)
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(600))
    _ = await hanging.first { $0.commands.isEmpty }
    #expect(hanging.state.problem == "hang: took longer than it may")
    await hanging.shutdown()
  }

  struct Watch: Equatable, Sendable {
    var city: String?
    var time = ""
    var errors = LineLog()
  }

  enum WatchAction: Sendable {
    case ticked(String)
    case errors(LineWriterEvent)
  }

  @Test("a clock shows the time of a city")
  func ticking() async throws {
    let clock = TestClock()
    let time = { @Sendable (city: String) in "\(city) \(clock.now)" }
    let store = Store(initialState: Watch(city: "Bergen")) { (state: inout Watch, action: WatchAction) in
      if case .ticked(let time) = action { state.time = time }
    }
    // TimersAndPolling, timers
    let ticking = Effect { (city: String, send: Send<WatchAction>) in
      await send(.ticked(time(city)))
    }
    .polled(every: .seconds(1), mode: .fixedRate, clock: clock)
    store.connect(ticking, when: \.city, longRunning: true)
    let first = await store.first { $0.time != "" }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    _ = await store.first { $0.time != first?.time }
    await store.shutdown()
  }

  // Compiled and not called: it writes to what the tests were started with.
  private func errors(of store: Store<Watch, WatchAction>) {
    // ProgramsAndTheTerminal, lines
    let errors = LineWriter(output: .standardError) { [weak store] event in
      store?.dispatch(.errors(event))
    }
    store.connect(errors, to: \.errors)
  }
}
