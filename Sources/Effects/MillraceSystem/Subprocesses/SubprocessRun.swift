#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Foundation
import Millrace
import MillraceEffects

/// One process, from its start until its whole group is gone.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `life` | the lock | with the run |
/// | `written`, `openOutputs`, `isTooLarge`, `lastErrors` | the lock | with the run |
/// | our ends of the pipes in `process` | each used and closed by one task | with that task |
final class SubprocessRun<ID: Hashable & Sendable>: Sendable {
  private struct State {
    var life = SubprocessLife()
    var written = 0
    var openOutputs: Int
    var isTooLarge = false
    /// The last lines of standard error, for a possible failure.
    var lastErrors: [String] = []
  }

  private let process: SpawnedProcess
  private let request: SubprocessRequest<ID>
  private let clock: any Clock<Duration>
  /// The right to read output. The run reads while nobody occupies it; a consumer occupies it to hold the output back.
  private let reading: ConcurrencyLimit
  private let send: Send<SubprocessEvent<ID>>
  private let state: Lock<State>
  /// Receives an element when the grace period begins.
  private let ending: AsyncStream<Void>
  private let graceBegins: AsyncStream<Void>.Continuation
  private let output: Readiness
  private let errors: Readiness?
  private let input: ProcessInput?

  init(
    _ process: SpawnedProcess, _ request: SubprocessRequest<ID>, clock: any Clock<Duration>,
    reading: ConcurrencyLimit = ConcurrencyLimit(1), send: Send<SubprocessEvent<ID>>
  ) {
    (self.process, self.request, self.clock) = (process, request, clock)
    (self.reading, self.send) = (reading, send)
    (ending, graceBegins) = AsyncStream.makeStream()
    output = Readiness(process.output.number, .reading)
    errors = process.errors.map { Readiness($0.number, .reading) }
    input = process.input.map(ProcessInput.init)
    state = Lock(State(openOutputs: process.errors == nil ? 1 : 2))
  }

  /// The standard input of the process, if its request asks for a live one.
  var liveInput: ProcessInput? { request.input == .live ? input : nil }

  /// Returns when the process has ended, its output is read, and its group is gone.
  func finished() async throws(SubprocessFailure) -> SubprocessTermination {
    // Not a child task, since the grace period must also pass in a cancelled run. Started here, since another run may
    // cancel this one.
    let grace = Task { [self] in
      for await _ in ending {
        let period = request.gracePeriod
        if await clock.waits(period, for: "the end of its grace period of \(period.text)") {
          perform { $0.gracePassed() }
        }
      }
    }
    let termination = await withTaskCancellationHandler {
      await withWaitReason("the end of process \(self.process.id)") { () async -> SubprocessTermination? in
        let isWanted = await send(.started(request.id, processID: process.id)) == .reduced
        if !isWanted { perform { $0.cancelled() } }
        async let output: Void = take(.output, from: process.output, output)
        async let errors: Void = takeErrors()
        async let given: Void = give(isWanted)
        let termination = await process.exited()
        perform { $0.exited() }
        _ = await (output, errors, given)
        await input?.close()
        return termination
      }
    } onCancel: {
      perform { $0.cancelled() }
    }
    // All outputs have ended and the process has exited. So the group has been killed, and nothing performs actions any
    // more.
    grace.cancel()
    await grace.value
    let (isTooLarge, lastErrors) = state.withLock { ($0.isTooLarge, $0.lastErrors) }
    await process.reap()
    if isTooLarge, let limit = request.outputLimit { throw .outputTooLarge(limit: limit) }
    guard let termination else { throw .statusLost }
    if request.requiresSuccess, !termination.isSuccess {
      throw .unsuccessful(termination, lastErrors: lastErrors)
    }
    return termination
  }

  private func perform(_ decide: (inout SubprocessLife) -> SubprocessLife.Action?) {
    switch state.withLock({ decide(&$0.life) }) {
    case .terminateGroup:
      process.signalGroup(SIGTERM)
      graceBegins.yield()
    case .killGroup:
      process.signalGroup(SIGKILL)
      for readiness in [output, errors] { readiness?.stop() }
      input?.stop()
    case nil: break
    }
  }

  private func takeErrors() async {
    if let pipe = process.errors, let errors { await take(.error, from: pipe, errors) }
  }

  /// Sends the lines of a stream. While a line waits to be reduced, nothing is read, so the pipe fills and the program
  /// waits. Unwanted output is read and dropped, so that a program can end.
  private func take(_ stream: SubprocessLine.Stream, from pipe: Descriptor, _ readiness: Readiness) async {
    var lines = LineSplitter(longest: request.longestLine)
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    var isWanted = true
    // Once the group is killed, an unrelated process that has the pipe may still write. The group's own remaining
    // output is at most the capacity of a pipe.
    var rest = 64 << 10
    reading: while rest > 0 {
      await reading.withSlot {}
      let isAbandoned = readiness.isStopped  // first, so that earlier output is still read
      switch pipe.read(into: &buffer) {
      case .success(let count) where count > 0:
        if isAbandoned { rest -= count }
        let allowed = buffer.prefix(allowance(for: count))
        for line in lines.bytesArrived(allowed) where isWanted { isWanted = await reported(line, stream) }
        if allowed.count < count {
          isWanted = false
          perform { $0.outputLimitReached() }
        }
        // If output never ends and is dropped, nothing else gives other tasks the thread.
        await Task.yield()
      case .failure(let failure) where failure.isForNow && !isAbandoned: _ = await readiness.wait()
      case .success, .failure: break reading
      }
    }
    if isWanted, let line = lines.ended() { _ = await reported(line, stream) }
    pipe.close()
    let isLast = state.withLock { state in
      state.openOutputs -= 1
      return state.openOutputs == 0
    }
    if isLast { perform { $0.outputEnded() } }
  }

  private func reported(_ line: LineSplitter.Line, _ stream: SubprocessLine.Stream) async -> Bool {
    if request.requiresSuccess, stream == .error || request.mergesErrors {
      let text = String(decoding: line.bytes.prefix(1_000), as: UTF8.self)
      state.withLock { $0.lastErrors = $0.lastErrors.suffix(9) + [text] }
    }
    let line = SubprocessLine(stream, line.bytes, isContinued: line.isContinued)
    return await send(.wrote(request.id, line)) == .reduced
  }

  /// The number of these bytes that the output limit still allows.
  private func allowance(for count: Int) -> Int {
    state.withLock { state in
      guard let limit = request.outputLimit else { return count }
      let allowed = min(count, max(0, limit - state.written))
      state.written += allowed
      if allowed < count { state.isTooLarge = true }
      return allowed
    }
  }

  /// Writes the input, if the program is still wanted. The program may end without reading all of it.
  private func give(_ isWanted: Bool) async {
    guard let input, case .bytes(let bytes) = request.input else { return }
    if isWanted { _ = await input.written(bytes) }
    await input.close()
  }
}
#endif
