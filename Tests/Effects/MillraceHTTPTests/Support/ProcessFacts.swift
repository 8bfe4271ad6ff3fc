#if os(Linux)
import Foundation
import TestSupport
import Testing

/// What the system says about this process.
enum ProcessFacts {
  /// How many descriptors are open, that of the question not counted.
  static var descriptors: Int { names(in: "/proc/self/fd").count - 1 }

  /// Has Dispatch open what it keeps open for timers, as `eventually` needs one when it waits for long.
  static func openTimers() async throws {
    var looks = 0
    try await eventually {
      looks += 1
      return looks > 101
    }
  }

  /// The descriptors that a child process would inherit.
  static var inherited: Set<Int32> {
    Set(names(in: "/proc/self/fd").compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) == 0 })
  }

  /// How many threads exchange messages.
  static var httpThreads: Int {
    names(in: "/proc/self/task").count {
      systemFile("/proc/self/task/\($0)/comm") == Inside.nameOfThreads + "\n"
    }
  }

  /// The most memory that the process has had, in MiB.
  static var peakMegabytes: Int {
    let status = systemFile("/proc/self/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? .max) / 1_024
  }

  /// Whether a sanitizer takes memory of its own: AddressSanitizer for what was freed, ThreadSanitizer for all.
  static var needsMoreMemory: Bool { dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
#endif
