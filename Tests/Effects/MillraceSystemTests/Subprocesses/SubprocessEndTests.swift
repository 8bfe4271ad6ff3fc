import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

// With real processes. The limit is for one that hangs; none is waited for by the clock.
@Suite("The end of subprocesses", .serialized, .timeLimit(.minutes(30)))
struct SubprocessEndTests {
  private let process = ProcessRun()

  /// The last line of a script that ends when a process that it has begun sends it `SIGUSR1`, for which `heedsReady`
  /// must come before. Only then is that process known to have come so far.
  private static let waitsUntilReady = "while [ -z \"$ready\" ]; do sleep 0.01; done"
  private static let heedsReady = "trap ready=1 USR1"

  /// Starts a script that writes the number of a process of its group, and waits for that.
  private func start(_ script: String) async throws -> (run: Task<Void, any Error>, descendant: Int32) {
    let run = process.start(ProcessRun.shell(script))
    return (run, try #require(Int32(try await process.lines(afterEvents: 2)[0])))
  }

  @Test("a run that is stopped ends the whole group, grandchildren too, and returns when it is gone")
  func group() async throws {
    let (run, grandchild) = try await start("(sleep 1000; :) & echo $!; wait")
    run.cancel()
    try await run.value
    try await ProcessRun.gone(grandchild)
    #expect(kill(try #require(process.processID), 0) == -1)
    #expect(process.termination == .killed(signal: SIGTERM))
    #expect(process.clock.sleepers.isEmpty)
  }

  private struct Attempts: Sendable {
    var processes: Set<SubprocessRequest<Int>> = []
    var descendants: [Int32] = []
    var overlaps: [Int32] = []
  }

  @Test("a further attempt begins when no process of the former one is left")
  func attempts() async throws {
    let script = """
      trap '' TERM
      for n in 1 2 3 4 5 6 7 8; do sleep 1000 & all="$all $!"; done
      echo $all; wait
      """
    let request = SubprocessRequest(1, "/bin/sh", ["-c", script], gracePeriod: .milliseconds(10))
    let store = Store<Attempts, SubprocessEvent<Int>>(initialState: Attempts(processes: [request])) {
      state, event in
      guard case .wrote(_, let line) = event else { return }
      state.overlaps += state.descendants.filter(ProcessRun.isThere)
      state.descendants += line.text.split(separator: " ").compactMap { Int32($0) }
      var next = request
      next.attempt += state.descendants.count
      state.processes = state.descendants.count < 80 ? [next] : []
    }
    store.connect(SubprocessEffect(), to: \.processes)
    _ = try await inTime { await store.first { $0.processes.isEmpty } }
    await store.shutdown()
    #expect(store.state.descendants.count == 80 && store.state.overlaps.isEmpty)
  }

  /// A FIFO, and a request of a program that copies it.
  private func fifo(in folder: TemporaryFolder) throws -> SubprocessRequest<Int> {
    try #require(mkfifo(folder.file("fifo"), 0o600) == 0)
    var request = SubprocessRequest(1, "/bin/cat")
    request.input = .file(folder.file("fifo"))
    return request
  }

  @Test("a run whose input is a FIFO that nobody writes to returns when it is stopped")
  func silentInput() async throws {
    let folder = try TemporaryFolder()
    let run = process.start(try fifo(in: folder))
    run.cancel()
    try await run.value
    #expect(process.sent.values == [])
  }

  @Test("a program whose input is a FIFO gets all that is written to it, whenever that is")
  func lateInput() async throws {
    let folder = try TemporaryFolder()
    let request = try fifo(in: folder)
    let run = process.start(request)
    try await onOwnThread {
      let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("fifo")))
      try writer.write(contentsOf: Data("one\n".utf8))
      try writer.write(contentsOf: Data("two\n".utf8))
      try writer.close()
    }
    try await run.value
    #expect(process.lines() == ["one", "two"])
    #expect(process.termination == .exited(status: 0))
  }

  #if os(Linux)
  @Test("a program waits for what is written to its FIFO, although the FIFO was opened without waiting")
  func waitingInput() async throws {
    let folder = try TemporaryFolder()
    var request = ProcessRun.shell("grep flags /proc/self/fdinfo/0")
    request.input = try fifo(in: folder).input
    let run = process.start(request)
    try await onOwnThread { try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("fifo"))).close() }
    try await run.value
    let flags = try #require(
      process.lines().first.flatMap { Int32($0.dropFirst(6).filter(\.isNumber), radix: 8) })
    #expect(flags & O_NONBLOCK == 0)
  }
  #endif

  @Test("a FIFO that was closed without a byte is empty input")
  func closedInput() async throws {
    let folder = try TemporaryFolder()
    let run = process.start(try fifo(in: folder))
    try await onOwnThread { try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("fifo"))).close() }
    try await run.value
    #expect(process.lines() == [])
    #expect(process.termination == .exited(status: 0))
  }

  @Test("a group that does not heed SIGTERM gets SIGKILL after the grace period, not before")
  func stubborn() async throws {
    let (run, grandchild) = try await start(
      "trap '' TERM; sleep 1000 & echo $!; while :; do wait; sleep 1000; done")
    run.cancel()
    #expect(try await process.clock.sleepers(atLeast: 1).map(\.deadline) == [.start + .seconds(5)])
    process.clock.advance(by: .seconds(4))
    #expect(ProcessRun.isThere(grandchild))
    #expect(ProcessRun.isThere(try #require(process.processID)))
    process.clock.advance(by: .seconds(1))
    try await run.value
    try await ProcessRun.gone(grandchild)
    #expect(process.termination == .killed(signal: SIGKILL))
  }

  @Test("a grace period of less than nothing is none", arguments: [Duration.zero, .seconds(-1)])
  func noGrace(grace: Duration) async throws {
    var request = ProcessRun.shell("trap '' TERM; echo ready; while :; do sleep 1000; done")
    request.gracePeriod = grace
    let run = process.start(request)
    try await process.sent.values(atLeast: 2)
    run.cancel()
    try await run.value
    #expect(process.termination == .killed(signal: SIGKILL))
  }

  @Test("what a process has left behind is ended after it, and what that wrote before is not lost")
  func leftBehind() async throws {
    // The process ends when what it leaves behind is ready to hear that it is to end, too.
    let ready = "trap 'echo bye; exit' TERM; kill -USR1 $$; while :; do sleep 0.01; done"
    try await process.run(ProcessRun.shell("trap 'exit 4' USR1; (\(ready)) & while :; do sleep 0.01; done"))
    #expect(process.lines() == ["bye"])
    #expect(process.termination == .exited(status: 4))
  }

  @Test("what a process has left behind and does not heed SIGTERM is killed after the grace period")
  func stubbornLeftBehind() async throws {
    let (run, grandchild) = try await start(
      "\(Self.heedsReady); (trap '' TERM; kill -USR1 $$; sleep 1000; :) & echo $!; \(Self.waitsUntilReady)")
    try await process.clock.sleepers(atLeast: 1)
    process.clock.advance(by: .seconds(5))
    try await run.value
    try await ProcessRun.gone(grandchild)
    #expect(process.termination == .exited(status: 0))
  }

  @Test("a process that is stopped hears that it is to end")
  func stopped() async throws {
    let (run, _) = try await start("echo $$; kill -STOP $$")
    run.cancel()
    try await run.value
    #expect(process.termination == .killed(signal: SIGTERM))
  }

  @Test("a program that has to write before it can end is not held up")
  func writesBeforeItEnds() async throws {
    let (run, _) = try await start(
      "trap 'yes | head -n 100000 && exit 9' TERM; echo $$; while :; do sleep 0.01; done")
    run.cancel()
    try await run.value
    #expect(process.termination == .exited(status: 9))
  }

  @Test("pipes that hang up while others come and go end nothing else")
  func hangups() async throws {
    let lines = try await withThrowingTaskGroup { group in
      for _ in 0..<16 {
        group.addTask {
          var lines = 0
          for _ in 0..<20 {
            let process = ProcessRun()
            try await process.run(ProcessRun.shell("echo one; echo two >&2"))
            lines += process.lines().count + process.lines(.error).count
          }
          return lines
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(lines == 640)
  }

  @Test("a program whose beginning the state takes no more gets no input and is ended")
  func unwanted() async throws {
    let folder = try TemporaryFolder()
    var request = ProcessRun.shell("trap '' TERM; cat > \(folder.file("got"))")
    request.input = .text("secret")
    let reported = Recorder<SubprocessEvent<Int>>()
    try? await SubprocessEffect(clock: ImmediateClock()).run(
      request,
      send: Send { event in
        reported.append(event)
        return .fenced
      })
    #expect(((try? folder.read("got")) ?? Data()).isEmpty)
  }

  @Test("programs that flood their pipes until they are killed hold up no other's end, however many they are")
  func floods() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount * 2
    let flooding = (0..<count).map { _ in (clock: TestClock(), reported: Recorder<SubprocessEvent<Int>>()) }
    let runs = flooding.map { clock, reported in
      let send = Send<SubprocessEvent<Int>> { event in
        guard reported.count < 2 else { return .fenced }
        reported.append(event)
        return .reduced
      }
      return Task {
        try await SubprocessEffect(clock: clock).run(ProcessRun.shell("trap '' TERM; exec yes"), send: send)
      }
    }
    for (_, reported) in flooding { try await reported.values(atLeast: 2) }
    for run in runs { run.cancel() }
    for (clock, _) in flooding {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(5))
    }
    for run in runs { try await run.value }
  }

  #if os(Linux)
  @Test("a daemon that holds the pipe does not hold up the end")
  func escaped() async throws {
    let (run, daemon) = try await start(
      """
      \(Self.heedsReady); setsid sh -c "kill -USR1 $$; exec sleep 1000" & echo $!; \(Self.waitsUntilReady)
      """)
    try await process.clock.sleepers(atLeast: 1)
    process.clock.advance(by: .seconds(5))
    try await run.value
    #expect(process.termination == .exited(status: 0))
    kill(daemon, SIGKILL)
  }

  @Test("a daemon that floods the pipe does not hold up the end, and little of what it writes then is told")
  func escapedFlood() async throws {
    let reported = Recorder<SubprocessEvent<Int>>()
    let send = Send<SubprocessEvent<Int>> { event in
      // The start, and the number that the daemon writes first; what it writes then has no end.
      if reported.count < 2 { reported.append(event) }
      return .reduced
    }
    let request = ProcessRun.shell(
      """
      \(Self.heedsReady); setsid sh -c "echo \\$\\$; kill -USR1 $$; exec yes" 2>/dev/null & \(Self.waitsUntilReady)
      """)
    let clock = process.clock
    let run = Task { try await SubprocessEffect(clock: clock).run(request, send: send) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    try await run.value
    guard case .wrote(_, let line) = try await reported.values(atLeast: 2)[1] else {
      throw SubprocessFailure.statusLost
    }
    // Nobody reads what it writes any more.
    try await ProcessRun.gone(try #require(Int32(line.text)))
  }

  @Test("a program inherits three descriptors and no more")
  func inherited() async throws {
    // Without `FD_CLOEXEC`.
    let leaked = dup(2)
    defer { close(leaked) }
    try await process.run(SubprocessRequest(1, "ls", ["/proc/self/fd"]))
    #expect(process.lines() == ["0", "1", "2", "3"])  // the last is the folder that is listed
  }

  @Test("of a process no descriptor, no zombie and no thread are left")
  func nothingLeft() async throws {
    for script in ["", "; exit 3", "; kill -KILL $$"] {
      let process = ProcessRun()
      var request = ProcessRun.shell("readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2" + script)
      request.input = .text("x")
      try await process.run(request)
      let pipes = process.lines()
      #expect(Set(pipes).count == 3 && pipes.allSatisfy { $0.hasPrefix("pipe:") }, "\(pipes)")
      #expect(Set(pipes).isDisjoint(with: openFiles()))
      let id = try #require(process.processID)
      #expect(!FileManager.default.fileExists(atPath: "/proc/\(id)"))
    }
  }

  private func openFiles() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
  }
  #endif
}
