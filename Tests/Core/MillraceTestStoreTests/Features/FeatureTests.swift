import Foundation
import Millrace
import Testing

/// Seven features as programs have them, each with a test of at most so many lines. Where a second test follows, it is the
/// first one with a plain store, gates and recorders.
@Suite("Seven features") struct FeatureTests {
  @Test(
    "the body of each test has at most so many lines, without blank ones and lone braces",
    arguments: [
      ("Counter", 8), ("Polling", 12), ("Line", 20), ("Timers", 15), ("Token", 25), ("Upload", 18),
      ("Saving", 25),
    ])
  func budget(feature: String, lines: Int) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(contentsOf: folder.appending(path: "\(feature)Feature.swift"), encoding: .utf8)
    let counts = TestBody.lineCounts(in: source)
    #expect(try #require(counts.first) <= lines)
    #expect(counts.dropFirst().allSatisfy { $0 > lines }, "a plain store would do")
  }
}

/// The lines of a test between the braces of its function.
enum TestBody {
  /// The number of lines of each test in a source that the formatter has formatted, without blank lines and lone braces.
  static func lineCounts(in source: String) -> [Int] {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { lines[$0].hasPrefix("  @Test") }.map { start in
      // The body begins after the line that opens the function, which is the first to end in a brace.
      let body = lines[start...].drop { !$0.hasSuffix("{") }.dropFirst().prefix { $0 != "  }" }
      return body.count { line in line.contains { !" {}()".contains($0) } }
    }
  }
}

/// The answers that a client of the outside world gives, one after the other.
final class Script<Failure: Error, Answer: Sendable>: Sendable {
  private let rest: Lock<[Answer?]>  // all that changes
  private let failure: @Sendable () -> Failure

  /// Makes a script; `nil` is a failure.
  init(_ answers: Answer?..., failure: @escaping @Sendable () -> Failure) {
    rest = Lock(answers)
    self.failure = failure
  }

  func next() throws(Failure) -> Answer {
    guard let answer = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw failure() }
    return answer
  }
}
