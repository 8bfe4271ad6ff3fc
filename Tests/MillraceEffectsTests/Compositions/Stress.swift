import Foundation

/// How much the random tests do, as told where the environment says.
enum Stress {
  /// The seeds of the sequences: those from `MILLRACE_SEED` on, one if it is given and `count` if not, or as many as
  /// `MILLRACE_SEQUENCES` says.
  static func seeds(_ count: UInt64) -> Range<UInt64> {
    let first = number("MILLRACE_SEED")
    let count = number("MILLRACE_SEQUENCES") ?? (first == nil ? count : 1)
    return (first ?? 1)..<((first ?? 1) + count)
  }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}
