import Foundation
import Millrace
import MillraceSystem
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// What a run waits for while its process runs and ends: a test store that settles waits for the processes, although the
/// grace period of those that are to end is in the hands of the test.
@Suite("The waits of subprocesses", .serialized, .timeLimit(.minutes(30)))
struct SubprocessWaitTests {
  private struct State: Equatable, Sendable {
    var processes: Set<SubprocessRequest<Int>> = []
    var job: Int?
    var lines: [String] = []
    var isEnded = false
  }

  private enum Action: Equatable, Sendable {
    case ask(SubprocessRequest<Int>)
    case stop
    case job(Int)
    case done
    case process(SubprocessEvent<Int>)
  }

  @Sendable private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .ask(let request): state.processes = [request]
    case .stop: state.processes = []
    case .job(let job): state.job = job
    case .done: state.job = nil
    case .process(.wrote(_, let line)): state.lines.append(line.text)
    case .process(.ended): state.isEnded = true
    case .process: break
    }
  }

  private let clock = TestClock()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try #require(mkfifo(folder.file("go"), 0o600) == 0)
  }

  private static let stays = "while :; do sleep 0.01; done"

  /// A script in the folder of the FIFO.
  private func shell(_ script: String) -> SubprocessRequest<Int> {
    var request = ProcessRun.shell(script)
    request.workingDirectory = folder.path
    return request
  }

  private func store(
    _ job: @escaping @Sendable (Send<Action>) async throws -> Void = { _ in }
  ) -> TestStore<State, Action> {
    let store = TestStore(initialState: State(), serving: .bodies, reduce: Self.reduce) { [clock] store in
      store.connect(SubprocessEffect(clock: clock), to: \.processes, action: Action.process, named: "process")
      store.connect(when: \.job, failure: { _, _ in .done }, named: "job") { _, send in try await job(send) }
    }
    store.timeLimit = patience
    return store
  }

  /// Has a script go on that reads from the FIFO.
  @Sendable private func go() async throws {
    try await onOwnThread { [path = folder.file("go")] in
      try FileHandle(forWritingTo: URL(fileURLWithPath: path)).close()
    }
  }

  private static func isLine(_ text: String) -> (Action) -> Bool {
    { if case .process(.wrote(_, let line)) = $0 { line.text == text } else { false } }
  }

  @Test("a test store waits for what a process has left behind")
  func leftBehind() async throws {
    let store = store()
    // The process ends when what it leaves behind is ready to hear that it is to end, too.
    let ready =
      "exec 2>/dev/null; trap 'read -r line < go; echo bye; exit' TERM; kill -USR1 $$; \(Self.stays)"
    let request = shell("trap 'exit 4' USR1; (\(ready)) & \(Self.stays)")
    store.send(.ask(request)) { $0.processes = [request] }
    async let gone: Void = {
      try await clock.sleepers(atLeast: 1)
      for _ in 0..<200 { await Task.yield() }
      try await go()
    }()
    await store.receive(where: { if case .process(.started) = $0 { true } else { false } })
    await store.receive(where: Self.isLine("bye")) { $0.lines = ["bye"] }
    await store.receive(.process(.ended(1, .exited(status: 4)))) { $0.isEnded = true }
    try await gone
    #expect(clock.sleepers.isEmpty)
    await store.finish()
  }

  @Test("the grace period is waited for by the run of the process, also where another run has stopped it")
  func stoppedByARun() async throws {
    let (reading, working) = (Gate(), Gate())
    let store = store { send in
      try await reading.wait()
      await send(.stop)
      try await working.wait()
      await send(.done)
    }
    let request = shell("trap 'read -r line < go; exit' TERM; echo $$; \(Self.stays)")
    store.send(.job(1)) { $0.job = 1 }
    store.send(.ask(request)) { $0.processes = [request] }
    try await eventually { store.state.lines.count == 1 }
    let number = store.state.lines[0]
    reading.open()
    try await clock.sleepers(atLeast: 1)
    let waits = [
      "job": ["a gate"],
      "process": [
        "the end of its grace period of 5 s (a test clock until 5.0 seconds)", "the end of process \(number)",
      ],
    ]
    try await eventually {
      let work = store.store.activity.entries.map { ($0.connection.name, $0.work.flatMap(\.waitsFor)) }
      return Dictionary(uniqueKeysWithValues: work) == waits
    }
    working.open()
    try await go()
    await store.receive(where: { if case .process(.started) = $0 { true } else { false } })
    await store.receive(where: Self.isLine(number)) { $0.lines = [number] }
    await store.receive(.stop) { $0.processes = [] }
    store.expect(stopped: request)
    await store.receive(.done) { $0.job = nil }
    await store.finish()
  }

  @Test("what a run waits for is told while its process runs, and while it is to end")
  func reported() async throws {
    let store = Store(initialState: State(), reduce: Self.reduce)
    store.connect(SubprocessEffect(), to: \.processes, action: Action.process)
    var request = shell("trap 'read -r line < go; exit' TERM; echo $$; \(Self.stays)")
    request.gracePeriod = .seconds(300)
    let waits = { store.activity.entries.flatMap(\.work).flatMap(\.waitsFor) }
    store.dispatch(.ask(request))
    try await eventually { store.state.lines.count == 1 }
    let end = "the end of process \(store.state.lines[0])"
    try await eventually { waits() == [end] }
    store.dispatch(.stop)
    try await eventually { waits() == ["the end of its grace period of 300 s", end] }
    try await go()
    await store.settled()
    #expect(waits() == [])
  }
}
