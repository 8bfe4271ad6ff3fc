#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Android)
@preconcurrency import Android
#elseif canImport(WASILibc)
@preconcurrency import WASILibc
#endif

/// A shell that leads the group of a process, and kills the group once this process has ended, however it ended.
///
/// The shell reads from a pipe whose other end this process alone holds: the system closes that end also after a
/// `SIGKILL`. The guard is started before the process that it guards, so there is no moment without it. A parent-death
/// signal of Linux (`prctl`) would not do: it is sent when a thread ends, only to the process itself and not to its
/// children, and `posix_spawn` cannot ask for it.
struct GroupGuard: Sendable {
  /// The number of the process, which is that of the group.
  let id: pid_t
  /// The end of the pipe that nobody writes into.
  let pipe: Descriptor

  static func start() throws(Descriptor.Failure) -> GroupGuard {
    let pipe = try Descriptor.pipe(ours: \.write)
    defer { pipe.read.close() }
    do throws(Descriptor.Failure) {
      let standard = [Int32](repeating: pipe.read.number, count: 3)
      // All signals are blocked, as only `SIGKILL` is to end it: others are for the processes that it guards.
      let id = try SpawnAttributes.withAttributes(standard: standard, folder: nil, blocksSignals: true) {
        actions, attributes in
        var id: pid_t = 0
        var arguments = ["sh", "-c", "read _; kill -s KILL 0"].map { (word: String) in strdup(word) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { for text in arguments { free(text) } }
        return (posix_spawn(&id, "/bin/sh", &actions, &attributes, &arguments, &environment), id)
      }
      return GroupGuard(id: id, pipe: pipe.write)
    } catch {
      pipe.write.close()
      throw error
    }
  }

  /// Kills what is left of the group, and lets the system forget its number.
  func end() {
    kill(-id, SIGKILL)
    pipe.close()
    while waitpid(id, nil, 0) == -1, errno == EINTR {}
  }
}
#endif
