import Millrace
import MillraceEffects

#if canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// Tells that something may have happened in a folder: at once where the system has `inotify`, otherwise after a while.
///
/// What has happened is not asked for: a folder that is listed again says it, also when the system has dropped reports.
/// Used by one task.
struct FolderSignal: ~Copyable {
  /// How often a folder is looked at that the system does not report on.
  static let longestWait = Duration.seconds(1)

  private let path: String
  private let clock: any Clock<Duration>

  #if canImport(Glibc) || canImport(Musl)
  private let descriptor: Descriptor?
  private var watch: Int32 = -1

  init(path: String, clock: any Clock<Duration>) {
    (self.path, self.clock) = (path, clock)
    let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    descriptor = number < 0 ? nil : Descriptor(number: number)
  }

  deinit { descriptor?.close() }

  /// Reports on what has the path from here on, which may be another folder than before.
  mutating func arm() {
    guard let descriptor else { return }
    let mask =
      IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF
    let former = watch
    // The same number as before for the same folder.
    watch = inotify_add_watch(descriptor.number, path, UInt32(mask) | UInt32(IN_ONLYDIR))
    if former >= 0, former != watch { inotify_rm_watch(descriptor.number, former) }
  }

  /// Returns when something may have happened, after `limit`, or when the task is cancelled.
  func wait(atMost limit: Duration?) async {
    guard let descriptor, watch >= 0 else {
      _ = await clock.waits(min(limit ?? Self.longestWait, Self.longestWait), for: "the next look")
      return
    }
    let readiness = Readiness(descriptor.number, .reading)
    let clock = clock
    await withTaskCancellationHandler {
      await withTaskGroup(of: Void.self) { group in
        if let limit {
          group.addTask { if await clock.waits(limit, for: "the next look") { readiness.stop() } }
        }
        _ = await readiness.wait()
        group.cancelAll()
      }
    } onCancel: {
      readiness.stop()
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case .bytes = descriptor.read(into: &buffer) {}
  }
  #else
  init(path: String, clock: any Clock<Duration>) { (self.path, self.clock) = (path, clock) }

  mutating func arm() {}

  func wait(atMost limit: Duration?) async {
    _ = await clock.waits(min(limit ?? Self.longestWait, Self.longestWait), for: "the next look")
  }
  #endif
}
