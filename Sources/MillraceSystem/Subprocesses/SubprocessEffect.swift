#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Millrace

/// Runs the programs that the state asks for, and sends what they write, line by line.
///
/// ```swift
/// store.connect(SubprocessEffect<String>(), to: \.processes, action: BuildAction.process)
/// ```
///
/// Each program runs in a process group of its own, with every signal as by default. The next line is read when this
/// one has been reduced: a program that writes faster than the reducer takes waits in its `write`, and memory stays
/// bounded by the longest line and 16 KiB for each stream.
///
/// When its request leaves the state, the whole group gets `SIGTERM`, and after the grace period `SIGKILL`; the run
/// returns when it is gone, and only then may another run of its `id` begin. A run that ends by itself leaves nothing
/// behind either: what its process has started in the group, and not waited for, is ended in the same way. A process
/// that has closed its outputs may get `SIGKILL` as soon as the group's leader has ended.
///
/// No thread of the concurrency pool is blocked; each program that runs costs one thread that waits for it, and three
/// file descriptors at most. Nothing here raises `SIGPIPE`.
///
/// Where the input of a request is ``SubprocessInput/live``, write to the program with `write(_:to:)`, for instance from
/// the entries of an outbox, so that what is to be written is in the state as well:
///
/// ```swift
/// let calculators = SubprocessEffect<String>()
/// store.connect(calculators, to: \.processes, action: BuildAction.process)
/// store.connect(
///   OutboxEffect<String> { line in try await calculators.write(line + "\n", to: "bc") },
///   to: \.questions, action: BuildAction.questions)
/// ```
///
/// Unfit for daemons, which leave their group by `setsid` and are not reached, and for programs that must survive
/// this one: what runs when this process is killed goes on by itself.
public struct SubprocessEffect<ID: Hashable & Sendable>: EffectComponent {
  private let clock: any Clock<Duration>
  /// The inputs of the processes that run and take it live.
  private let inputs = Lock<[ID: LiveInput]>([:])

  /// Runs programs, with grace periods measured by `clock`.
  public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  /// A process is known by its own `id`.
  public func id(of request: SubprocessRequest<ID>) -> ID { request.id }

  /// Every program in the state. If two share an `id`, the store reports it.
  public func requests(in requests: Set<SubprocessRequest<ID>>) -> Set<SubprocessRequest<ID>> { requests }

  /// Runs one program, and returns when nothing of its group is left.
  ///
  /// - Throws: why it was not started, or was ended, as a ``SubprocessFailure``. A status other than 0 is no failure.
  public func run(
    _ request: SubprocessRequest<ID>, send: Send<SubprocessEvent<ID>>
  ) async throws(SubprocessFailure) {
    let process = try await SpawnedProcess.start(request)
    let run = SubprocessRun(process, request, clock: clock, send: send)
    if let input = run.liveInput { inputs.withLock { $0[request.id] = input } }
    defer { inputs.withLock { inputs in if run.liveInput != nil { inputs[request.id] = nil } } }
    let termination = try await run.finished()
    await send(.ended(request.id, termination))
  }

  /// Writes to the standard input of the process of this `id`, which takes it ``SubprocessInput/live``.
  ///
  /// Callable from any task, from when ``SubprocessEvent/started(_:processID:)`` is sent. Several who write take turns,
  /// in order of arrival, and none writes into what another does. Connect an effect once for this: two connections may
  /// run two processes of one `id`.
  ///
  /// Returns when the pipe has taken all: a program that does not read makes it wait, and a pipe holds 64 KiB on most
  /// systems. That the pipe has taken it does not say that the program has read it. A task that is cancelled while it
  /// writes goes on: half a line is worse than one too many.
  ///
  /// - Throws: why not all of it was written, as a ``SubprocessInputFailure``.
  public func write(_ bytes: [UInt8], to id: ID) async throws(SubprocessInputFailure) {
    guard let input = inputs.withLock({ $0[id] }) else { throw .notRunning }
    try await input.write(bytes)
  }

  /// Writes a text in UTF-8, with nothing added, as `write(_:to:)` does bytes.
  public func write(_ text: String, to id: ID) async throws(SubprocessInputFailure) {
    try await write(Array(text.utf8), to: id)
  }

  /// Closes the standard input of the process of this `id`, which then reads the end after what was written before.
  /// Does nothing where no such process runs.
  public func closeInput(of id: ID) async {
    await inputs.withLock { $0[id] }?.close()
  }

  /// `.failed`
  public func action(for failure: SubprocessFailure, of request: SubprocessRequest<ID>) -> SubprocessEvent<ID>
  {
    .failed(request.id, failure)
  }
}
#endif
