import Foundation
import MillraceEffects
import Testing

/// The pictures of the article *Choosing an effect* are what the policies do.
@Suite struct ArticlePictureTests {
  private static func lines() throws -> [(policy: String, picture: String)] {
    let article = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Documentation/MillraceEffects.docc/ChoosingAnEffect.md")
    return try String(contentsOf: article.standardizedFileURL, encoding: .utf8).split(separator: "\n")
      .drop { !$0.hasPrefix("asked for  ") }.prefix { $0 != "```" }
      .map { line in
        let end = line.lastIndex(of: " ") ?? line.startIndex
        return (line[..<end].trimmingCharacters(in: .whitespaces), String(line[end...].dropFirst()))
      }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("each line is what its policy does")
  func pictures() throws {
    let lines = try Self.lines()
    try #require(lines.map(\.policy).count == 8)
    let asks = lines[0].picture
    for (policy, picture) in lines.dropFirst() {
      let work = ScriptedWork(takes: policy.hasPrefix("takingLeading") ? 4 : 0)
      let (clock, second) = (work.clock, Duration.seconds(1))
      let delay = policy.hasPrefix("takingLeading") ? "----" : ""
      let timeline = Timeline(asks: asks + "----", begins: picture, sends: delay + picture)
      switch policy {
      case "debounced(for: 2 s)": timeline.check(work) { $0.debounced(for: second * 2, clock: clock) }
      case "debounced(for: 2 s, leading: true)":
        timeline.check(work) { $0.debounced(for: second * 2, leading: true, clock: clock) }
      case "debounced(for: 2 s, atMost: 3 s)":
        timeline.check(work) { $0.debounced(for: second * 2, atMost: second * 3, clock: clock) }
      case "throttled(for: 3 s)": timeline.check(work) { $0.throttled(for: second * 3, clock: clock) }
      case "throttled(for: 3 s, latest: false)":
        timeline.check(work) { $0.throttled(for: second * 3, clock: clock, latest: false) }
      case "rateLimited, 2 tokens, one more every 3 s":
        timeline.check(work) {
          $0.rateLimited(by: TokenBucket(capacity: 2, refilledEvery: second * 3, clock: clock))
        }
      case "takingLeading()": timeline.check(work) { $0.takingLeading() }
      default: Issue.record("nobody tries \(policy)")
      }
    }
  }
}
