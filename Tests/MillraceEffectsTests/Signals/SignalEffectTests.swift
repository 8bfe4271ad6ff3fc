import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// With real signals, which belong to the whole process: no two tests may use the same one.
@Suite struct SignalEffectTests {
  private let sent = Recorder<SignalEvent>()

  private func listen(to signal: Signal, _ sent: Recorder<SignalEvent>) -> Task<Void, any Error> {
    Task { try await SignalEffect().run(signal, send: .recording(into: sent)) }
  }

  /// What the process does about a signal, as the address of its handler.
  private func disposition(of signal: Signal) -> Int {
    var action = sigaction()
    sigaction(signal.number, nil, &action)
    #if canImport(Darwin)
    return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #else
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
  }

  private func heard(_ signal: Signal) async {
    while disposition(of: signal) == 0 { await Task.yield() }
  }

  @Test("a signal that is listened to is told and ends nothing, and what was before comes back")
  func told() async throws {
    #expect(disposition(of: .user1) == 0)
    let run = listen(to: .user1, sent)
    await heard(.user1)
    for count in 1...3 {
      kill(getpid(), SIGUSR1)
      try await sent.values(count: count)
    }
    run.cancel()
    try await run.value
    #expect(sent.values == Array(repeating: .received(.user1), count: 3))
    #expect(disposition(of: .user1) == 0)
  }

  @Test("several may listen to one signal; the last to go gives back what was before")
  func shared() async throws {
    let other = Recorder<SignalEvent>()
    let (first, second) = (listen(to: .user2, sent), listen(to: .user2, other))
    await heard(.user2)
    while sent.count == 0 || other.count == 0 {
      kill(getpid(), SIGUSR2)
      for _ in 0..<50 { await Task.yield() }
    }
    first.cancel()
    try await first.value
    #expect(disposition(of: .user2) != 0)
    let count = other.count
    kill(getpid(), SIGUSR2)
    try await other.values(count: count + 1)
    second.cancel()
    try await second.value
    #expect(disposition(of: .user2) == 0)
  }

  @Test("a signal from another process is told through a store, until the state asks no more")
  func inAStore() async throws {
    let told = Recorder<SignalEvent>()
    let store = Store<Set<Signal>, SignalEvent>(initialState: [.hangup], on: .immediate) { signals, event in
      told.append(event)
      if case .received(let signal) = event { signals.remove(signal) }
    }
    store.connect(SignalEffect(), to: \.self, action: { $0 })
    await heard(.hangup)
    let sender = Process()
    sender.executableURL = URL(fileURLWithPath: "/bin/sh")
    sender.arguments = ["-c", "kill -HUP \(getpid())"]
    try sender.run()
    #expect(try await told.values(count: 1) == [.received(.hangup)])
    await store.settled()
    #expect(disposition(of: .hangup) == 0)
  }

  @Test(
    "a child process does not come to ignore the signal",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func child() async throws {
    let run = listen(to: .terminate, sent)
    await heard(.terminate)
    let (child, output) = (Process(), Pipe())
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", "grep -E 'Sig(Ign|Cgt)' /proc/$$/status"]
    child.standardOutput = output
    try child.run()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      let mask = try #require(UInt64(line.split(separator: "\t")[1], radix: 16))
      #expect(mask & 1 << (SIGTERM - 1) == 0)
    }
    run.cancel()
    try await run.value
    #expect(sent.values.isEmpty)
  }

  @Test("every signal has a number of its own")
  func numbers() {
    #expect(Set(Signal.allCases.map(\.number)).count == Signal.allCases.count)
  }
}
