#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Millrace
import MillraceEffects

/// Runs the programs that the state asks for, and sends their output line by line.
///
/// ```swift
/// store.connect(SubprocessEffect<String>(), to: \.processes, action: BuildAction.process)
/// ```
///
/// Each program runs in its own process group, with default handling of all signals. The next line is read after the
/// last one has been reduced. So a program that writes faster than the reducer works waits in its `write`, and memory
/// is bounded by the longest line and 16 KiB for each stream.
///
/// When its request leaves the state, the whole group gets `SIGTERM`, and `SIGKILL` after the grace period. The run
/// returns when the group is gone, and only then another run of its `id` begins. Output and end of the program after
/// that are fenced: they do not reach the state. When a program ends by itself, processes of its group that are left
/// are ended in the same way. Once the group's leader has ended and all outputs are closed, they may get `SIGKILL` at
/// once.
///
/// The effect blocks no thread of the concurrency pool; each running program costs one thread that waits for it and
/// at most three file descriptors. The effect never raises `SIGPIPE`.
///
/// If this process itself is killed, its programs continue, and a restarted process starts them again beside the first
/// ones. To prevent that, set ``SubprocessRequest/diesWithParent``.
///
/// If lines are passed on to an output that may be slow, such as a ``LineWriter``, they would accumulate in the state.
/// To avoid that, let a request call ``holdOutput()`` while there are many lines.
///
/// A program that exits with a status other than 0 has ended, and its event has the status. To make such an end a
/// failure, for instance for a policy that retries, say so in the request:
///
/// ```swift
/// var fetch = SubprocessRequest("fetch", "git", ["fetch", "--quiet"])
/// fetch.requiresSuccess = true
/// ```
///
/// The failure is then ``SubprocessFailure/unsuccessful(_:lastErrors:)``, with the last lines of standard error.
///
/// If the input of a request is ``SubprocessInput/live``, write to the program with `write(_:to:)`, for instance from
/// the entries of an outbox, so that the input is in the state as well:
///
/// ```swift
/// let calculators = SubprocessEffect<String>()
/// store.connect(calculators, to: \.processes, action: BuildAction.process)
/// store.connect(
///   OutboxEffect<String> { line in try await calculators.write(line + "\n", to: "bc") },
///   to: \.questions, action: BuildAction.questions)
/// ```
///
/// Unsuitable for daemons, which leave their group by `setsid` and are not ended.
public struct SubprocessEffect<ID: Hashable & Sendable>: EffectComponent {
  private let clock: any Clock<Duration>
  /// The inputs of the running processes with live input.
  private let inputs = Lock<[ID: ProcessInput]>([:])
  /// The right to read the programs' output, which `holdOutput()` occupies.
  let reading = ConcurrencyLimit(1, waitsFor: "the output to be read again")

  /// Makes an effect that measures grace periods on `clock`.
  public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  /// Returns the `id` of the process.
  public func id(of request: SubprocessRequest<ID>) -> ID { request.id }

  /// Returns every program in the state. If two share an `id`, the store reports it.
  public func requests(in requests: Set<SubprocessRequest<ID>>) -> Set<SubprocessRequest<ID>> { requests }

  /// Runs one program, and returns when no process of its group is left.
  ///
  /// - Throws: a ``SubprocessFailure`` if the program was not started or was ended. A status other than 0 is a failure
  ///   only if the request says so by ``SubprocessRequest/requiresSuccess``.
  public func run(
    _ request: SubprocessRequest<ID>, send: Send<SubprocessEvent<ID>>
  ) async throws(SubprocessFailure) {
    var file: Descriptor?
    if case .file(let path) = request.input {
      file = try await InputFile.opened(path)
      if file == nil { return }
    }
    let process = try await SpawnedProcess.start(request, reading: file)
    let run = SubprocessRun(process, request, clock: clock, reading: reading, send: send)
    if let input = run.liveInput { inputs.withLock { $0[request.id] = input } }
    defer { inputs.withLock { inputs in if run.liveInput != nil { inputs[request.id] = nil } } }
    let termination = try await run.finished()
    await send(.ended(request.id, termination))
  }

  /// Writes to the standard input of the process with this `id`, whose input is ``SubprocessInput/live``.
  ///
  /// Callable from any task after ``SubprocessEvent/started(_:processID:)`` was sent. Concurrent calls write one
  /// after the other, in order of arrival. Connect the effect only once: two connections may run two processes with
  /// one `id`.
  ///
  /// Returns when the pipe has accepted all bytes, which does not mean that the program has read them. A pipe holds
  /// 64 KiB on most systems; if the program does not read, the call waits. A task that is cancelled while it writes
  /// completes the write, so that no partial line is left.
  ///
  /// - Throws: a ``SubprocessInputFailure`` if not all bytes were written.
  public func write(_ bytes: [UInt8], to id: ID) async throws(SubprocessInputFailure) {
    guard let input = inputs.withLock({ $0[id] }) else { throw .notRunning }
    try await input.write(bytes)
  }

  /// Writes a text in UTF-8, without adding a line break, in the same way as `write(_:to:)` writes bytes.
  public func write(_ text: String, to id: ID) async throws(SubprocessInputFailure) {
    try await write(Array(text.utf8), to: id)
  }

  /// Closes the standard input of the process with this `id`, after the earlier writes. Does nothing if there is no
  /// such process.
  public func closeInput(of id: ID) async {
    await inputs.withLock { $0[id] }?.close()
  }

  /// Reads no further output of this effect's programs until the calling task is cancelled. Their pipes fill, and they
  /// wait in their `write`. Call it in a run that the state asks for while it has enough lines:
  ///
  /// ```swift
  /// let builds = SubprocessEffect<String>()
  /// store.connect(builds, to: \.processes, action: BuildAction.process)
  /// store.connect(when: \.holdsOutput) { _, _ in await builds.holdOutput() }
  /// ```
  ///
  /// Here `holdsOutput` is `nil` while there is room for further lines:
  ///
  /// ```swift
  /// var holdsOutput: Bool? { log.lines.count < 1_000 ? nil : true }
  /// ```
  ///
  /// Lines already read, at most 16 KiB for each stream, are still sent. A program whose request leaves the state is no
  /// longer held back.
  public func holdOutput() async {
    await reading.withSlot {
      let (never, continuation) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      continuation.finish()
    }
  }

  /// Returns ``SubprocessEvent/failed(_:_:)``.
  public func action(for failure: SubprocessFailure, of request: SubprocessRequest<ID>) -> SubprocessEvent<ID>
  {
    .failed(request.id, failure)
  }
}
#endif
