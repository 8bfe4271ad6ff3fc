import Foundation
import Millrace
import MillraceEffects

/// Waits until a folder may have changed: by `inotify` where the system has it, otherwise for a second.
///
/// Ignores the contents of `inotify` reports, since the system drops reports when there are too many. The folder is
/// listed again instead. Used by one task.
struct FolderSignal: ~Copyable {
  /// The interval at which a folder is listed without `inotify`.
  static let longestWait = Duration.seconds(1)

  private let path: String
  private let clock: any Clock<Duration>

  #if canImport(Glibc) || canImport(Musl) || canImport(Android)
  private let descriptor: Descriptor?
  private var watch: Int32 = -1

  init(path: String, clock: any Clock<Duration>) {
    (self.path, self.clock) = (path, clock)
    let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    descriptor = number < 0 ? nil : Descriptor(number: number)
  }

  deinit { descriptor?.close() }

  /// Watches the folder that now has the path, which may have replaced the one before.
  mutating func arm() {
    guard let descriptor else { return }
    let mask =
      IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF
    let former = watch
    // The system returns the same number again for the same folder.
    watch = inotify_add_watch(descriptor.number, path, UInt32(mask) | UInt32(IN_ONLYDIR))
    if former >= 0, former != watch { inotify_rm_watch(descriptor.number, former) }
  }

  /// Returns when the folder may have changed, after `limit`, or when the task is cancelled.
  func wait(atMost limit: Duration?) async {
    guard let descriptor, watch >= 0 else {
      _ = await clock.waits(min(limit ?? Self.longestWait, Self.longestWait), for: "the next look")
      return
    }
    let readiness = Readiness(descriptor.number, .reading)
    let clock = clock
    await withWaitReason("a change of the folder") {
      await withTaskGroup(of: Void.self) { group in
        if let limit {
          group.addTask { if await clock.waits(limit, for: "the next look") { readiness.stop() } }
        }
        _ = await readiness.waitUnlessCancelled()
        group.cancelAll()
      }
    }
    descriptor.drain()
  }
  #else
  init(path: String, clock: any Clock<Duration>) { (self.path, self.clock) = (path, clock) }

  mutating func arm() {}

  func wait(atMost limit: Duration?) async {
    _ = await clock.waits(min(limit ?? Self.longestWait, Self.longestWait), for: "the next look")
  }
  #endif
}
