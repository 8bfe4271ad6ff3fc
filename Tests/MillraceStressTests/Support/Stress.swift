import Foundation

/// How much is done: much on an ordinary build, less under ThreadSanitizer, as told where the environment says.
enum Stress {
  static let isSanitized = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil

  /// The number of random sequences: `MILLRACE_SEQUENCES`.
  static let sequences = number("MILLRACE_SEQUENCES") ?? (isSanitized ? 500 : 10_000)

  /// The seed of the first sequence, the others count on: `MILLRACE_SEED`. With it given, runs one sequence unless
  /// told otherwise.
  static let seed = number("MILLRACE_SEED")

  /// `count`, or a tenth of it under ThreadSanitizer.
  static func scaled(_ count: Int) -> Int { isSanitized ? count / 10 : count }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}

/// Runs `body` on `count` threads of their own at once, each with its number, and returns when all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup { group in
    for number in 0..<count {
      group.addTask {
        await withCheckedContinuation { continuation in
          Thread {
            body(number)
            continuation.resume()
          }.start()
        }
      }
    }
  }
}
