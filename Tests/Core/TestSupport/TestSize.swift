import Foundation

/// How much a test does of what it may do any number of times.
///
/// `swift test` does little of it, and all that can go wrong once. With `MILLRACE_FULL` a test does much of it: those are the
/// steps `stress`, `explorer`, `servers`, `network`, `kills`, `faults` and `large` of `.ci/run --full`.
package enum TestSize {
  package static let isFull = number("MILLRACE_FULL") != nil

  /// Whether ThreadSanitizer, with which everything takes ten times as long, looks on.
  package static let isSlow = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil

  /// How often a test does something: `few` times, or `many` times with `MILLRACE_FULL`.
  package static func count(_ few: Int, full many: Int) -> Int {
    isFull ? (isSlow ? many / 10 : many) : few
  }

  /// `few` of the values, from all over, or all of them with `MILLRACE_FULL`.
  package static func some<Value>(_ few: Int, of values: [Value]) -> [Value] {
    if isFull || values.count <= few { return values }
    return (0..<few).map { values[$0 * values.count / few] }
  }

  /// The seeds of a test of random sequences: as many as `count` says, with ThreadSanitizer at most 20, or as
  /// many as `MILLRACE_SEQUENCES` says, from `MILLRACE_SEED` on, or that one alone.
  package static func seeds(_ few: Int, full many: Int) -> Range<UInt64> {
    let first = number("MILLRACE_SEED")
    let usual = isSlow && !isFull ? min(few, 20) : count(few, full: many)
    let count = number("MILLRACE_SEQUENCES") ?? (first == nil ? UInt64(usual) : 1)
    return (first ?? 1)..<((first ?? 1) + count)
  }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}
