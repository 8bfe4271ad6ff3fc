#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Foundation
import Millrace

/// A started process, with this process's ends of its pipes.
///
/// Started by `posix_spawn` and not by `Foundation.Process`. On Linux, the latter cannot create a process group or
/// distinguish the child's exit from a grandchild that holds a pipe; it passes on ignored signals, and needs a thread
/// with a run loop. `posix_spawn` reports why a program cannot be run, and copies no memory.
///
/// Each process has a thread that starts it and then waits for it by `waitid`. That call exists on every platform,
/// needs no signal handler that others may replace, and leaves the status to be fetched later. It blocks no thread of
/// the concurrency pool, and costs only the thread's stack.
struct SpawnedProcess: Sendable {
  let id: pid_t
  let output: Descriptor
  /// The pipe for standard error; `nil` if that is merged into standard output.
  let errors: Descriptor?
  let input: Descriptor?
  /// The guard that leads the group instead of the process, if the request asks for it.
  let groupGuard: GroupGuard?
  /// The way in which the process has ended, reported by its thread; `nil` if its status is unknown.
  private let exits: AsyncStream<SubprocessTermination?>

  /// Starts a process. Ignores cancellation: the caller ends what it has started.
  ///
  /// - Parameter file: the standard input if that is a file. It is closed in any case.
  static func start<ID>(
    _ request: SubprocessRequest<ID>, reading file: Descriptor? = nil
  ) async throws(SubprocessFailure) -> SpawnedProcess {
    let (exits, exit) = AsyncStream.makeStream(of: SubprocessTermination?.self)
    let result: Result<SpawnedProcess, SubprocessFailure> = await withUnsafeContinuation { started in
      let thread = Thread {
        do throws(SubprocessFailure) {
          let process = try Spawning.spawn(request, reading: file, exits)
          started.resume(returning: .success(process))
          exit.yield(waited(for: process.id))
        } catch {
          started.resume(returning: .failure(error))
        }
      }
      thread.name = "millrace-subprocess"
      thread.stackSize = 256 << 10
      thread.start()
    }
    return try result.get()
  }

  init(
    id: pid_t, output: Descriptor, errors: Descriptor?, input: Descriptor?, groupGuard: GroupGuard?,
    exits: AsyncStream<SubprocessTermination?>
  ) {
    (self.id, self.output, self.errors, self.input) = (id, output, errors, input)
    (self.groupGuard, self.exits) = (groupGuard, exits)
  }

  /// Returns when the process itself has ended; `nil` if its status is unknown. For one caller.
  func exited() async -> SubprocessTermination? {
    // In a task of its own, which a cancellation of the run does not reach.
    await Task {
      for await termination in exits { return termination }
      return nil
    }.value
  }

  /// Sends a signal to the whole group. Call it before `reap`.
  func signalGroup(_ signal: Int32) {
    let group = groupGuard?.id ?? id
    kill(-group, signal)
    // A stopped process receives the signal only once it continues.
    if signal != SIGKILL { kill(-group, SIGCONT) }
  }

  /// Lets the system forget the ended process, and waits until no other killed process of its group is left. Waits for
  /// at most a second: in some containers nobody fetches the status of orphans, so that their entries stay for ever.
  func reap() async {
    while waitpid(id, nil, 0) == -1, errno == EINTR {}
    groupGuard?.end()
    var pause = Duration.milliseconds(1)
    while kill(-(groupGuard?.id ?? id), 0) == 0, pause < .seconds(1) {
      // In a task of its own, which a cancellation of the run does not reach.
      await Task { [pause] in try? await Task.sleep(for: pause) }.value
      pause *= 2
    }
  }

  /// Blocks until the process has ended, without fetching its status.
  private static func waited(for id: pid_t) -> SubprocessTermination? {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 {
      guard errno == EINTR else { return nil }
    }
    #if canImport(Darwin)
    let status = info.si_status
    #elseif canImport(Glibc) || canImport(Android)
    let status = info._sifields._sigchld.si_status
    #else
    let status = info.__si_fields.__si_common.__second.__sigchld.si_status
    #endif
    return info.si_code == CLD_EXITED ? .exited(status: status) : .killed(signal: status)
  }
}
#endif
