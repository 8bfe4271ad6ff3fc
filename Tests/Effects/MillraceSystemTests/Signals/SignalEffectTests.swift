import Foundation
import Millrace
import MillraceSystem
import MillraceTesting
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// With real signals, which belong to the whole process: no two tests may use the same one. What was done about
/// one before is whatever the tests were started with; under `nohup`, a hangup is ignored.
@Suite struct SignalEffectTests {
  private let sent = Recorder<SignalEvent>()

  private func listen(to signal: ProcessSignal, _ sent: Recorder<SignalEvent>) -> Task<Void, any Error> {
    Task { try await SignalEffect().run(signal, send: .recording(into: sent)) }
  }

  /// What the process does about a signal, as the address of its handler.
  private func disposition(of signal: ProcessSignal) -> Int {
    var action = sigaction()
    sigaction(signal.number, nil, &action)
    #if canImport(Darwin)
    return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #else
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
  }

  @Test("a signal that is listened to is told and ends nothing, and what was before comes back")
  func reported() async throws {
    let former = disposition(of: .user1)
    let run = listen(to: .user1, sent)
    try await sent.values(atLeast: 1)
    for count in 2...4 {
      kill(getpid(), SIGUSR1)
      try await sent.values(atLeast: count)
    }
    run.cancel()
    try await run.value
    #expect(sent.values == [.listening(.user1)] + Array(repeating: .received(.user1), count: 3))
    #expect(disposition(of: .user1) == former)
  }

  @Test("a run whose first event is not wanted any more listens to nothing")
  func fenced() async throws {
    let former = disposition(of: .resumed)
    try await SignalEffect().run(.resumed, send: .recording(into: sent, answering: .fenced))
    #expect(sent.values == [.listening(.resumed)])
    #expect(disposition(of: .resumed) == former)
  }

  @Test("several may listen to one signal; the last to go gives back what was before")
  func shared() async throws {
    let other = Recorder<SignalEvent>()
    let former = disposition(of: .user2)
    let (first, second) = (listen(to: .user2, sent), listen(to: .user2, other))
    for listener in [sent, other] { try await listener.values(atLeast: 1) }
    kill(getpid(), SIGUSR2)
    for listener in [sent, other] { try await listener.values(atLeast: 2) }
    first.cancel()
    try await first.value
    #expect(disposition(of: .user2) != former)
    kill(getpid(), SIGUSR2)
    try await other.values(atLeast: 3)
    second.cancel()
    try await second.value
    #expect(disposition(of: .user2) == former)
    #expect(sent.values == [.listening(.user2), .received(.user2)])
  }

  @Test("a signal from another process is told through a store, until the state asks no more")
  func inAStore() async throws {
    let reported = Recorder<SignalEvent>()
    let former = disposition(of: .hangup)
    let store = Store<Set<ProcessSignal>, SignalEvent>(initialState: [.hangup], on: .immediate) {
      signals, event in
      reported.append(event)
      if case .received(let signal) = event { signals.remove(signal) }
    }
    store.connect(SignalEffect(), to: \.self)
    try await reported.values(atLeast: 1)
    try await eventually { store.activity.entries.flatMap(\.work).flatMap(\.waitsFor) == ["the signal"] }
    let sender = Process()
    sender.executableURL = URL(fileURLWithPath: "/bin/sh")
    sender.arguments = ["-c", "kill -HUP \(getpid())"]
    try sender.run()
    #expect(try await reported.values(atLeast: 2) == [.listening(.hangup), .received(.hangup)])
    await store.settled()
    #expect(disposition(of: .hangup) == former)
  }

  @Test(
    "a child process does not come to ignore the signal",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func child() async throws {
    let wasIgnored = ProcessSignal.terminate.isIgnored
    let run = listen(to: .terminate, sent)
    try await sent.values(atLeast: 1)
    let (child, output) = (Process(), Pipe.uninherited())
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", "grep -E 'Sig(Ign|Cgt)' /proc/$$/status"]
    child.standardOutput = output
    try child.run()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n")
    let masks = lines.compactMap { UInt64($0.split(separator: "\t")[1], radix: 16) }
    try #require(masks.count == 2)
    let isSet = masks.map { $0 & 1 << (SIGTERM - 1) != 0 }
    // What handles a signal here is no part of the child, and what was ignored before is no fault of the effect.
    #expect(isSet == [false, false] || wasIgnored)
    run.cancel()
    try await run.value
    #expect(sent.values == [.listening(.terminate)])
  }

  @Test("a signal that is ignored can be told from others")
  func ignored() {
    let former = signal(SIGWINCH, SIG_DFL)
    #expect(!ProcessSignal.windowChanged.isIgnored)
    signal(SIGWINCH, SIG_IGN)
    #expect(ProcessSignal.windowChanged.isIgnored)
    signal(SIGWINCH, former)
  }

  @Test("every signal has a number of its own")
  func numbers() {
    #expect(Set(ProcessSignal.allCases.map(\.number)).count == ProcessSignal.allCases.count)
  }
}
