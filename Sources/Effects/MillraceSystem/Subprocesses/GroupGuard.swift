#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Foundation

/// A shell that leads a process group, and kills the group once this process has ended in any way.
///
/// The shell reads from a pipe whose other end only this process holds. The system closes that end even after a
/// `SIGKILL`. The guard starts before the process that it guards, so there is no moment without it. A parent-death
/// signal of Linux (`prctl`) is no alternative: it is sent when a thread ends, only to the process itself and not to
/// its children, and `posix_spawn` cannot request it.
struct GroupGuard: Sendable {
  /// The process number of the guard, which is also the number of the group.
  let id: pid_t
  /// The end of the pipe that this process holds, and into which nothing is written.
  let pipe: Descriptor

  static func start() throws(Descriptor.Failure) -> GroupGuard {
    let pipe = try Descriptor.pipe(ours: \.write)
    defer { pipe.read.close() }
    do throws(Descriptor.Failure) {
      let standard = [Int32](repeating: pipe.read.number, count: 3)
      // All signals are blocked, so that only `SIGKILL` ends the guard: other signals are meant for the processes that
      // it guards.
      let id = try PosixSpawn.start(
        Array("/bin/sh".utf8CString), ["sh", "-c", "read _; kill -s KILL 0"].map { Array($0.utf8) },
        environment: [], standard: standard, blocksSignals: true)
      return GroupGuard(id: id, pipe: pipe.write)
    } catch {
      pipe.write.close()
      throw error
    }
  }

  /// Kills the rest of the group, and lets the system reuse its number.
  func end() {
    kill(-id, SIGKILL)
    pipe.close()
    while waitpid(id, nil, 0) == -1, errno == EINTR {}
  }
}
#endif
