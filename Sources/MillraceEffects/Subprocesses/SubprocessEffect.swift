#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Millrace

/// Runs the programs that the state asks for, and sends what they write, line by line.
///
/// ```swift
/// store.connect(
///   SubprocessEffect<String, ContinuousClock>(), to: \.processes, action: BuildAction.process)
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
/// Unfit for daemons, which leave their group by `setsid` and are not reached, and for programs that must survive
/// this one: what runs when this process is killed goes on by itself.
public struct SubprocessEffect<ID: Hashable & Sendable, C: Clock>: EffectComponent
where C.Duration == Duration {
  private let clock: C

  /// Runs programs, with grace periods measured by `clock`.
  public init(clock: C) { self.clock = clock }

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
    let termination = try await SubprocessRun(process, request, clock: clock, send: send).finished()
    await send(.ended(request.id, termination))
  }

  /// `.failed`
  public func action(for failure: SubprocessFailure, of request: SubprocessRequest<ID>) -> SubprocessEvent<ID>
  {
    .failed(request.id, failure)
  }
}

extension SubprocessEffect where C == ContinuousClock {
  /// Runs programs, with grace periods on the continuous clock.
  public init() { self.init(clock: ContinuousClock()) }
}
#endif
