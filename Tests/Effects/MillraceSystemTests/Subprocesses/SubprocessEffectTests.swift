import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

// With real processes. The limit is for one that hangs; none is waited for by the clock.
@Suite("Subprocesses", .serialized, .timeLimit(.minutes(30)))
struct SubprocessEffectTests {
  private let process = ProcessRun()

  @Test("the lines of both streams are told apart, between the start and the end")
  func streams() async throws {
    try await process.run(ProcessRun.shell("echo one; echo uno >&2; echo two; printf due >&2; exit 3"))
    #expect(process.lines() == ["one", "two"])
    #expect(process.lines(.error) == ["uno", "due"])
    let id = try #require(process.processID)
    #expect(process.sent.values.first == .started(1, processID: id))
    #expect(process.sent.values.last == .ended(1, .exited(status: 3)))
    #expect(process.sent.count == 6)
  }

  @Test("a process that a signal ends is told from one that exits")
  func killed() async throws {
    try await process.run(ProcessRun.shell("kill -USR1 $$"))
    #expect(process.termination == .killed(signal: SIGUSR1))
    #expect(!SubprocessTermination.killed(signal: 1).isSuccess)
    #expect(!SubprocessTermination.exited(status: 1).isSuccess)
    #expect(SubprocessTermination.exited(status: 0).isSuccess)
  }

  @Test("arguments come as they are")
  func arguments() async throws {
    let arguments = ["", " a  b ", "$HOME", "'\"`", "*", "ü\u{1F600}"]
    try await process.run(
      SubprocessRequest(1, "/bin/sh", ["-c", "printf '%s\\n' \"$@\"", "name"] + arguments))
    #expect(process.lines() == arguments)
  }

  @Test("the environment is the one that was asked for")
  func environment() async throws {
    var request = ProcessRun.shell("echo \"$A,$B,${HOME-none},${PATH+path}\"")
    request.environment = .exactly(["A": "1", "B": "x=y"])
    try await process.run(request)
    request.environment = .inheriting(changing: ["A": "2", "HOME": nil, "PATH": "/usr/bin:/bin"])
    let other = ProcessRun()
    try await other.run(request)
    // A shell may have a path of its own.
    #expect(["1,x=y,none,", "1,x=y,none,path"].contains(process.lines().first))
    #expect(other.lines() == ["2,,none,path"])
  }

  @Test("a name is looked for in the folders of the environment's PATH, in their order")
  func path() async throws {
    let folder = try TemporaryFolder()
    for (name, mode) in [("a", "644"), ("b", "755"), ("c", "755")] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
      try await folder.writeProgram("#!/bin/sh\necho \(name)\n", to: "\(name)/tool", mode: mode)
    }
    var request = SubprocessRequest(1, "tool")
    request.environment = .exactly([
      "PATH": ["nowhere", "a", "b", "c"].map(folder.file).joined(separator: ":")
    ])
    try await process.run(request)
    #expect(process.lines() == ["b"])
    request.environment = .exactly(["PATH": folder.file("a")])
    await #expect(throws: SubprocessFailure.notExecutable(path: folder.file("a/tool"))) {
      try await ProcessRun().run(request)
    }
    request.environment = .exactly([:])
    await #expect(throws: SubprocessFailure.notFound("tool")) { try await ProcessRun().run(request) }
  }

  @Test("the program starts in its folder")
  func folder() async throws {
    let folder = try TemporaryFolder()
    var request = ProcessRun.shell("pwd -P; echo x > made")
    request.workingDirectory = folder.path
    try await process.run(request)
    #expect(folder.names == ["made"])
  }

  @Test("what cannot be started is refused with the reason")
  func refusals() async throws {
    let folder = try TemporaryFolder()
    try await folder.writeProgram("\u{1}\u{2}", to: "garbage")
    try await folder.writeProgram("#!\(folder.file("nowhere"))\n", to: "orphan")
    try folder.write(Data("echo".utf8), to: "plain")
    var inNowhere = SubprocessRequest(1, "true")
    inNowhere.workingDirectory = folder.file("nowhere")
    var fromNowhere = SubprocessRequest(1, "true")
    fromNowhere.input = .file(folder.file("nowhere"))
    var badVariable = SubprocessRequest(1, "true")
    badVariable.environment = .exactly(["a=b": "c"])
    let tooMany = SubprocessRequest(1, "true", [String(repeating: "x", count: 8 << 20)])
    let cases: [(SubprocessRequest<Int>, SubprocessFailure)] = [
      (SubprocessRequest(1, folder.file("nowhere")), .notFound(folder.file("nowhere"))),
      (SubprocessRequest(1, "no-such-program-anywhere"), .notFound("no-such-program-anywhere")),
      (SubprocessRequest(1, ""), .notFound("")),
      (SubprocessRequest(1, folder.path), .notExecutable(path: folder.path)),
      (SubprocessRequest(1, folder.file("plain")), .notExecutable(path: folder.file("plain"))),
      (SubprocessRequest(1, folder.file("garbage")), .notExecutable(path: folder.file("garbage"))),
      (SubprocessRequest(1, folder.file("orphan")), .notExecutable(path: folder.file("orphan"))),
      (SubprocessRequest(1, "true", ["a\0b"]), .notPassable("a\0b")),
      (inNowhere, .noWorkingDirectory(folder.file("nowhere"))),
      (fromNowhere, .unreadableInput(path: folder.file("nowhere"), errorNumber: ENOENT)),
      (badVariable, .notPassable("a=b=c")),
      (tooMany, .notStarted(errorNumber: E2BIG)),
    ]
    for (request, failure) in cases {
      await #expect(throws: failure) { try await process.run(request) }
      #expect(
        SubprocessEffect<Int>(clock: process.clock).action(for: failure, of: request)
          == .failed(1, failure))
    }
    #expect(process.sent.values.isEmpty)
  }

  @Test("a program gets its input whole, from memory, from a file, or none")
  func input() async throws {
    let text = String(repeating: "0123456789\n", count: 30_000)
    var request = SubprocessRequest(1, "cksum")
    request.input = .text(text)
    try await process.run(request)
    let folder = try TemporaryFolder()
    try folder.write(Data(text.utf8), to: "input")
    request.input = .file(folder.file("input"))
    let fromFile = ProcessRun()
    try await fromFile.run(request)
    #expect(process.lines().first?.hasSuffix(" 330000") == true)
    #expect(fromFile.lines() == process.lines())
    request.input = .empty
    let none = ProcessRun()
    try await none.run(request)
    #expect(none.lines() == ["4294967295 0"])
  }

  @Test("a program may leave its input unread: that is no failure, and no signal ends anybody")
  func unreadInput() async throws {
    var request = ProcessRun.shell("exec 0<&-; echo closed")
    request.input = .bytes([UInt8](repeating: 0, count: 4 << 20))
    try await process.run(request)
    #expect(process.lines() == ["closed"])
    #expect(process.termination == .exited(status: 0))
  }

  @Test("a program cannot outrun the reducer: what it writes waits in the pipe until a line is reduced")
  func backPressure() async throws {
    let sent = Recorder<SubprocessEvent<Int>>()
    let (count, line) = (40_000, String(repeating: "y", count: 99))
    let send = Send<SubprocessEvent<Int>> { event in
      if case .wrote(_, let line) = event, line.stream == .output { for _ in 0..<5 { await Task.yield() } }
      sent.append(event)
      return .reduced
    }
    let script = "yes \(line) | head -n \(count); echo finished >&2"
    try await SubprocessEffect(clock: process.clock).run(ProcessRun.shell(script), send: send)
    let events = sent.values
    #expect(events.count == count + 3)
    let finished = try #require(events.firstIndex(of: .wrote(1, SubprocessLine(.error, "finished"))))
    // When it had written all, no more was under way than a pipe and a buffer hold.
    #expect(finished - 1 >= count - ((64 << 10) + (16 << 10)) / 100 - 1)
  }

  @Test("a line without end comes in pieces")
  func endlessLine() async throws {
    var request = ProcessRun.shell("yes | tr -d '\\n'")
    request.longestLine = 1000
    let run = process.start(request)
    let events = try await process.sent.values(atLeast: 101)
    run.cancel()
    try await run.value
    let piece = SubprocessLine(.output, [UInt8](repeating: UInt8(ascii: "y"), count: 1000), isContinued: true)
    #expect(events.dropFirst() == Array(repeating: .wrote(1, piece), count: 100)[...])
  }

  @Test("with one byte more than the limit a program is ended, and all up to the limit is told")
  func outputLimit() async throws {
    var request = ProcessRun.shell("printf 12345; printf 6789 >&2")
    request.outputLimit = 9
    try await process.run(request)
    #expect(process.termination == .exited(status: 0))
    let endless = ProcessRun()
    request = ProcessRun.shell("yes")
    request.outputLimit = 7
    await #expect(throws: SubprocessFailure.outputTooLarge(limit: 7)) { try await endless.run(request) }
    #expect(endless.lines() == ["y", "y", "y"])
  }

  @Test("a program that has to succeed fails with its end and the last lines of its errors")
  func requiredSuccess() async throws {
    var request = ProcessRun.shell("seq 12 >&2; echo out; exit 3")
    try await process.run(request)
    #expect(process.termination == .exited(status: 3))
    request.requiresSuccess = true
    #expect(request != ProcessRun.shell(request.arguments[1]))
    let lastErrors = (3...12).map(String.init)
    let failed = ProcessRun()
    await #expect(throws: SubprocessFailure.unsuccessful(.exited(status: 3), lastErrors: lastErrors)) {
      try await failed.run(request)
    }
    #expect(failed.lines(.error).count == 12 && failed.lines() == ["out"] && failed.termination == nil)
    request.mergesErrors = true
    request.arguments[1] = "printf '%2000s\\n' '' | tr ' ' y; kill -9 $$"
    let long = String(repeating: "y", count: 1_000)
    await #expect(throws: SubprocessFailure.unsuccessful(.killed(signal: SIGKILL), lastErrors: [long])) {
      try await ProcessRun().run(request)
    }
    request.arguments[1] = "echo warning >&2"
    let succeeded = ProcessRun()
    try await succeeded.run(request)
    #expect(succeeded.termination == .exited(status: 0))
  }

  @Test("signals are as nobody had ever touched them")
  func signals() async throws {
    let former = signal(SIGXFSZ, SIG_IGN)
    defer { signal(SIGXFSZ, former) }
    try await process.run(ProcessRun.shell("kill -XFSZ $$; echo alive"))
    #expect(process.termination == .killed(signal: SIGXFSZ))
  }

  @Test("through a store: a request that leaves the state ends its process, and the next one waits for that")
  func inAStore() async throws {
    let reported = Recorder<SubprocessEvent<Int>>()
    let store = Store<Set<SubprocessRequest<Int>>, StoreAction>(initialState: []) { requests, action in
      switch action {
      case .set(let new): requests = new
      case .process(let event): reported.append(event)
      }
    }
    store.connect(
      SubprocessEffect<Int>(clock: process.clock), to: \.self, action: StoreAction.process)
    let first = ProcessRun.shell("echo first; exec sleep 1000")
    let second = ProcessRun.shell("kill -0 \"$1\" || echo gone; exit 7")
    await store.send(.set([first]))
    try await reported.values(atLeast: 2)
    guard case .started(_, let id) = reported.values[0] else { throw SubprocessFailure.statusLost }
    var next = second
    next.arguments += ["name", "\(id)"]
    await store.send(.set([next]))
    await store.settled()
    let lines = reported.values.compactMap {
      if case .wrote(_, let line) = $0, line.stream == .output { line.text } else { nil }
    }
    #expect(lines == ["first", "gone"])
    #expect(reported.values.last == .ended(1, .exited(status: 7)))
    await store.send(.set([SubprocessRequest(1, "no-such-program-anywhere")]))
    await store.settled()
    #expect(reported.values.last == .failed(1, .notFound("no-such-program-anywhere")))
    await store.shutdown()
  }
}

private enum StoreAction: Sendable {
  case set(Set<SubprocessRequest<Int>>)
  case process(SubprocessEvent<Int>)
}
