import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceSystem

@Suite struct HeldOutputTests {
  private let effect = SubprocessEffect<Int>(clock: TestClock())
  private let lineCount = Lock(0)

  /// Seven bytes a line, more than what a pipe holds.
  private var flood: SubprocessRequest<Int> {
    var request = ProcessRun.shell("i=100000; while [ $i -lt 150000 ]; do echo $i; i=$((i+1)); done")
    request.mergesErrors = true
    return request
  }

  /// Keeps the output back from the first line on.
  private func run(holdingBy hold: Lock<Task<Void, Never>?>) -> Task<Void, any Error> {
    Task { [effect, lineCount, flood] in
      try await effect.run(
        flood,
        send: Send { event in
          guard case .wrote = event else { return .reduced }
          let isFirst = lineCount.withLock { count in
            count += 1
            return count == 1
          }
          if isFirst {
            let holding = Task { await effect.holdOutput() }
            while !effect.isHeld { await Task.yield() }
            // Not before: until then it may be this look that waits for the turn to read.
            hold.withLock { $0 = holding }
          }
          return .reduced
        })
    }
  }

  @Test("while output is held back, no more than what was read is sent, and the rest comes afterwards")
  func held() async throws {
    let hold = Lock<Task<Void, Never>?>(nil)
    let run = run(holdingBy: hold)
    try await eventually { hold.withLock { $0 != nil } && effect.reading.waiting == 1 }
    #expect(lineCount.withLock { $0 } <= (16 << 10) / 7)
    hold.withLock { $0 }?.cancel()
    try await run.value
    #expect(lineCount.withLock { $0 } == 50_000)
    #expect(!effect.isHeld)
  }

  private struct Printed: Equatable, Sendable {
    var processes: Set<SubprocessRequest<Int>> = []
    var log = LineLog()
    var most = 0
    var holdsOutput: Bool? { log.nextNumber < 12_000 || log.lines.count < 1_000 ? nil : true }
  }

  private enum PrintedAction: Sendable {
    case process(SubprocessEvent<Int>)
    case log(LineWriterEvent)
  }

  @Test("a program whose lines are written to a pipe that nobody reads waits, and no line is lost")
  func slowReader() async throws {
    let pipe = Pipe.uninherited()
    // It goes on once its output is held back. Until then it has written more than the pipe has room for.
    var flood = ProcessRun.shell(
      "i=100000; while [ $i -lt 150000 ]; do [ $i -ne 112000 ] || read -r go; echo $i; i=$((i+1)); done")
    (flood.mergesErrors, flood.input) = (true, .live)
    let store = Store(initialState: Printed(processes: [flood])) {
      (state: inout Printed, action: PrintedAction) in
      switch action {
      case .process(.wrote(_, let line)): state.log.append(line.text)
      case .process(.ended), .process(.failed): state.processes = []
      case .process(.started): break
      case .log(let event): state.log.reduce(event)
      }
      state.most = max(state.most, state.log.lines.count)
    }
    let output = TerminalOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    store.connect(
      LineWriter(output: output) { [weak store] event in store?.dispatch(.log(event)) }, to: \.log)
    store.connect(when: \.holdsOutput) { [effect] _, _ in await effect.holdOutput() }
    store.connect(effect, to: \.processes, action: PrintedAction.process)
    try await eventually { store.state.log.nextNumber == 12_000 && effect.isHeld }
    try await effect.write("go\n", to: 1)
    try await eventually { effect.reading.waiting == 1 }
    let reading = Task {
      await withCheckedContinuation { read in
        Thread { read.resume(returning: pipe.fileHandleForReading.readDataToEndOfFile()) }.start()
      }
    }
    await store.settled()
    try pipe.fileHandleForWriting.close()
    #expect(await reading.value.count == 350_000)
    #expect(store.state.most < 25_000)
    #expect(store.state.log.lines.isEmpty)
  }

  @Test("a program whose request leaves the state is not held back any more")
  func stopped() async throws {
    let hold = Lock<Task<Void, Never>?>(nil)
    let run = run(holdingBy: hold)
    try await eventually { hold.withLock { $0 != nil } && effect.reading.waiting == 1 }
    run.cancel()
    try? await run.value
    #expect(effect.isHeld)
    hold.withLock { $0 }?.cancel()
  }
}

extension SubprocessEffect<Int> {
  /// Whether somebody keeps the turn to read.
  fileprivate var isHeld: Bool {
    guard let ticket = reading.enter(priority: 0, whenFree: {}) else {
      reading.giveBack()
      return false
    }
    reading.leave(ticket)
    return true
  }
}
