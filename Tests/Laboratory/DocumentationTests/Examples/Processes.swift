import Millrace
import MillraceEffects
import MillraceSystem
import MillraceTesting
import Testing

@Suite struct ProcessExamples {
  struct Build: Sendable {
    var processes: Set<SubprocessRequest<String>> = []
    var progress = ProgressStatus()
    var isAsking = false
    var lines: [String] = []
    var termination: SubprocessTermination?
    var questions = Outbox<String>()
    var log = LineLog()
    var holdsOutput: Bool? { log.lines.count < 1_000 ? nil : true }
  }

  enum BuildAction: Sendable {
    case asked(SubprocessRequest<String>)
    case process(SubprocessEvent<String>)
    case input(LineReaderEvent)
    case question(String)
    case log(LineWriterEvent)
    case questions(Outbox<String>.Action)
  }

  private typealias PromptAction = BuildAction

  private let store = Store(initialState: Build()) { (state: inout Build, action: BuildAction) in
    switch action {
    case .asked(let request): state.processes = [request]
    case .process(.wrote(_, let line)): state.lines.append(line.text)
    case .process(.ended(_, let termination)): state.termination = termination
    case .log(let event): state.log.reduce(event)
    case .question(let line): state.questions.append(line)
    case .questions(let action): state.questions.reduce(action)
    case .process, .input: break
    }
  }

  @Test("a program that the state asks for is run, and its lines and its end come back")
  func subprocess() async {
    // SubprocessEffect
    store.connect(SubprocessEffect<String>(), to: \.processes, action: BuildAction.process)
    await store.send(.asked(SubprocessRequest("greeting", "echo", ["hello"])))
    await store.settled()
    #expect(store.state.lines == ["hello"])
    #expect(store.state.termination?.isSuccess == true)
    await store.shutdown()
  }

  @Test("a program is written to from an outbox while it runs")
  func conversation() async throws {
    // SubprocessEffect, live
    let calculators = SubprocessEffect<String>()
    store.connect(calculators, to: \.processes, action: BuildAction.process)
    store.connect(
      OutboxEffect<String> { line in try await calculators.write(line + "\n", to: "bc") },
      to: \.questions, action: BuildAction.questions)
    var request = SubprocessRequest("bc", "cat")
    request.input = .live
    let actions = store.actions()
    await store.send(.asked(request))
    for await (action, _) in actions {
      if case .process(.started) = action { await store.send(.question("6 * 7")) }
      if case .process(.wrote) = action { break }
    }
    #expect(store.state.lines == ["6 * 7"])
    await store.shutdown()
  }

  @Test("a request says where a program starts, and with which environment")
  func request() {
    // SubprocessRequest
    var list = SubprocessRequest("list", "git", ["ls-files"])
    list.workingDirectory = "/srv/project"
    list.environment = .inheriting(changing: ["LC_ALL": "C", "GIT_DIR": nil])
    #expect(list.arguments == ["ls-files"])
  }

  @Test("signals that the program was told to ignore are not asked for")
  func ignored() {
    // ProcessSignal
    let signals = Set([ProcessSignal.interrupt, .terminate, .hangup].filter { !$0.isIgnored })
    #expect(signals.count <= 3)
  }

  @Test("a program is held back while there are many lines to write, and dies with its parent where it shall")
  func heldBack() async {
    // SubprocessEffect, held back
    let builds = SubprocessEffect<String>()
    store.connect(builds, to: \.processes, action: BuildAction.process)
    store.connect(when: \.holdsOutput) { _, _ in await builds.holdOutput() }
    // SubprocessRequest, guarded
    var build = SubprocessRequest("build", "echo", ["done"])
    build.diesWithParent = true
    await store.send(.asked(build))
    await store.settled()
    #expect(store.state.lines == ["done"] && store.state.holdsOutput == nil)
  }

  @Test("a status has notices that stay")
  func status() {
    // ProgressStatus
    var progress = ProgressStatus("12 of 40 files", fraction: 12.0 / 40)
    progress.notices.append("going on where the last run stopped")
    #expect(progress.fraction == 0.3)
  }

  @Test("a file that is skipped is a notice")
  func skipped() {
    struct Copy {
      var copied = 10
      var progress = ProgressStatus()
    }
    func reduce(_ state: inout Copy, skipping name: String) {
      // Views
      state.progress.text = "\(state.copied) of 40 files"
      state.progress.fraction = Double(state.copied) / 40
      state.progress.notices.append("skipped \(name)")  // stays; only append to the notices
    }
    var copy = Copy()
    reduce(&copy, skipping: "a")
    #expect(copy.progress.notices == ["skipped a"] && copy.progress.fraction == 0.25)
  }

  @Test("a log has numbered lines")
  func logging() {
    // LineLog
    var log = LineLog()
    log.append("listening on port 8080")
    #expect(log.nextNumber == 1)
  }

  // Compiled and not called: these read and write what the tests were started with.

  private func view() async {
    // TerminalProgressView
    let progress = TerminalProgressView(prefix: "copy: ")
    store.connect(progress, props: { $0.progress })
    // Views
    await store.shutdown()
    await progress.finish()
  }

  private func printing() {
    // LineWriter
    let writer = LineWriter { [weak store] event in store?.dispatch(.log(event)) }
    store.connect(writer, to: \.log)
  }

  private func reading() {
    // LineReaderEffect
    store.connect(LineReaderEffect(), to: \.isAsking, action: PromptAction.input, longRunning: true)
  }

  private func writing() throws {
    // TerminalOutput
    let terminal = TerminalOutput.standardError
    try terminal.write("checking \(terminal.size?.columns ?? 80) columns\n")
  }

  private func writingOf(_ name: String) throws {
    // TerminalText
    try TerminalOutput.standardError.write("cannot read \(TerminalText.visible(name))\n")
  }
}

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
}
