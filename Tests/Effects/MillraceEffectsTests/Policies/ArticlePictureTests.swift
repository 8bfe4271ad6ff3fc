import Foundation
import MillraceEffects
import TestSupport
import Testing

/// The pictures of the article *Policies* are what the policies do.
@Suite struct ArticlePictureTests {
  private static func lines() throws -> [(policy: String, picture: String)] {
    try Checkout.text("Documentation/MillraceEffects.docc/Policies.md").split(separator: "\n")
      .drop { !$0.hasPrefix("asked for  ") }.prefix { $0 != "```" }
      .map { line in
        let end = line.lastIndex(of: " ") ?? line.startIndex
        return (line[..<end].trimmingCharacters(in: .whitespaces), String(line[end...].dropFirst()))
      }
  }

  /// The rows of the picture in which each line has requests of its own.
  private static func rows() throws -> [(policy: String, pictures: [String])] {
    try Checkout.text("Documentation/MillraceEffects.docc/Policies.md").split(separator: "\n")
      .drop { !$0.hasPrefix("     ") || !$0.hasSuffix("sent") }.dropFirst().prefix { $0 != "```" }
      .map { line in
        let words = line.split(separator: " ")
        return (words.dropLast(3).joined(separator: " "), words.suffix(3).map { String($0) })
      }
  }

  @Test("each line with requests of its own is what its policy does")
  func ownRequests() throws {
    let rows = try Self.rows()
    try #require(rows.count == 10)
    let second = Duration.seconds(1)
    for (policy, shown) in rows {
      switch policy {
      case "debounced(for:), capitals 3 s, others 1 s":
        ScriptedWork().plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.debounced(for: { second * ($0.isUppercase ? 3 : 1) }, clock: $0.clock)
        }
      case "polled(every: 4 s, jitter: 0.5, seed: 5)":
        ScriptedWork().plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.polled(every: second * 4, jitter: 0.5, seed: 5, clock: $0.clock)
        }
      case "hedged(after: 2 s), 5 s each":
        ScriptedWork(takes: 5).plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.hedged(after: second * 2, clock: $0.clock)
        }
      case "hedged(after: 4 s), 3 s each, 1 fails":
        ScriptedWork(failing: [1], takes: 3).plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.hedged(after: second * 4, clock: $0.clock)
        }
      case "hedged(after: 2 s), 3 s each, 1 and 2 fail":
        ScriptedWork(failing: [1, 2], takes: 3).plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.hedged(after: second * 2, clock: $0.clock)
        }
      case "fallingBack(to: itself), 2 s each, 1 fails":
        ScriptedWork(failing: [1], takes: 2).plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.fallingBack(to: $0)
        }
      case "guarded(by:per:), vowels and others, 1 to 2 fail":
        ScriptedWork(failing: [1, 2]).plays(shown[0], begins: shown[1], sends: shown[2]) { work in
          let breakers = CircuitBreakers { (_: Bool) in
            CircuitBreaker(failureThreshold: 2, resetTimeout: second * 9, clock: work.clock)
          }
          return work.guarded(by: breakers, per: { "aeiou".contains($0) }, action: { _, _ in "!" })
        }
      case "failureRate: 0.5, within: 4 s, minimum: 2, 1 to 3":
        ScriptedWork(failing: [1, 2, 3]).plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.guarded(
            by: CircuitBreaker(
              failureRate: 0.5, within: second * 4, minimum: 2, resetTimeout: second * 3, clock: $0.clock),
            action: { _, _ in "!" })
        }
      case "slowAfter: 2 s, 2 s each":
        ScriptedWork(takes: 2).plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.guarded(
            by: CircuitBreaker(
              failureThreshold: 1, resetTimeout: second * 9, slowAfter: second * 2, clock: $0.clock),
            action: { _, _ in "!" })
        }
      case "trials: 2, 1 to 2 fail":
        ScriptedWork(failing: [1, 2]).plays(shown[0], begins: shown[1], sends: shown[2]) {
          $0.guarded(
            by: CircuitBreaker(failureThreshold: 2, resetTimeout: second * 3, trials: 2, clock: $0.clock),
            action: { _, _ in "!" })
        }
      default: Issue.record("nobody tries \(policy)")
      }
    }
  }

  @Test("each line is what its policy does")
  func pictures() throws {
    let lines = try Self.lines()
    try #require(lines.map(\.policy).count == 8)
    let asks = lines[0].picture
    for (policy, picture) in lines.dropFirst() {
      let work = ScriptedWork(takes: policy.hasPrefix("ignoringWhileRunning") ? 4 : 0)
      let (clock, second) = (work.clock, Duration.seconds(1))
      let delay = policy.hasPrefix("ignoringWhileRunning") ? "----" : ""
      let (asked, sends) = (asks + "----", delay + picture)
      switch policy {
      case "debounced(for: 2 s)":
        work.plays(asked, begins: picture, sends: sends) { $0.debounced(for: second * 2, clock: clock) }
      case "debounced(for: 2 s, leading: true)":
        work.plays(asked, begins: picture, sends: sends) {
          $0.debounced(for: second * 2, leading: true, clock: clock)
        }
      case "debounced(for: 2 s, atMost: 3 s)":
        work.plays(asked, begins: picture, sends: sends) {
          $0.debounced(for: second * 2, atMost: second * 3, clock: clock)
        }
      case "throttled(for: 3 s)":
        work.plays(asked, begins: picture, sends: sends) { $0.throttled(for: second * 3, clock: clock) }
      case "throttled(for: 3 s, latest: false)":
        work.plays(asked, begins: picture, sends: sends) {
          $0.throttled(for: second * 3, clock: clock, latest: false)
        }
      case "rateLimited, 2 tokens, one more every 3 s":
        work.plays(asked, begins: picture, sends: sends) {
          $0.rateLimited(by: TokenBucket(capacity: 2, refilledEvery: second * 3, clock: clock))
        }
      case "ignoringWhileRunning()":
        work.plays(asked, begins: picture, sends: sends) { $0.ignoringWhileRunning() }
      default: Issue.record("nobody tries \(policy)")
      }
    }
  }
}
