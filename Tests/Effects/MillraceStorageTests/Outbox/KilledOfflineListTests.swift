import Foundation
import MillraceStorage
import TestSupport
import Testing

/// A server of lists, which others edit too, and of whose answers many are lost.
private struct ListServer {
  private(set) var marks: [String: [String]] = [:]
  private(set) var conflicts = 0
  private(set) var repeats = 0
  private var inbox = Inbox()
  private var others = 0

  /// The answer to a line; `nil` to other lines than those of edits.
  mutating func answer(_ line: String, _ random: inout SystemRandomNumberGenerator) -> String? {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 5, words[0] == "put", let key = OutboxKey(words[1]) else { return nil }
    let (item, base) = (words[2], words[4].split(separator: ",").map(String.init))
    var answer = "ok"
    if inbox.hasAccepted(key, lane: item) {
      repeats += 1
    } else if base != marks[item, default: []] {
      conflicts += 1
      answer = "conflict"
    } else {
      _ = inbox.accept(key, lane: item)
      marks[item, default: []].append(words[3])
    }
    let text = marks[item, default: []].joined(separator: ",")
    if Int.random(in: 0..<10, using: &random) < 3 { answer = "lost" }
    return "\(key) \(answer) \(text)"
  }

  mutating func editByOther(_ item: String) {
    others += 1
    marks[item, default: []].append("other\(others)")
  }

  /// What is missing, doubled or out of order in an item.
  func violations(of item: String, made: Int, in all: inout [Int: Int]) -> [String] {
    let own = marks[item, default: []].compactMap { Int($0) }
    for number in own { all[number, default: 0] += 1 }
    return own == own.sorted() ? [] : ["\(item) is out of order: \(own)"]
  }
}

@Suite struct KilledOfflineListTests {
  @Test(
    "killed at random moments, an offline list loses no edit, applies none twice, keeps their order, and equals its server"
  )
  func killed() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let path = folder.file("list")
    let (server, last) = try await onOwnThread {
      var random = SystemRandomNumberGenerator()
      var server = ListServer()
      func live(_ isLast: Bool, lines count: Int) throws -> [String] {
        let child = try ProbeProcess("offline", path, isLast ? "1" : "0")
        var lines: [String] = []
        while lines.count < count, let line = child.line() {
          lines.append(line)
          if let answer = server.answer(line, &random) { child.say(answer) }
          if !isLast, Int.random(in: 0..<6, using: &random) == 0 {
            server.editByOther(["milk", "bread", "salt"].randomElement(using: &random) ?? "milk")
          }
        }
        spin(turns: Int.random(in: 0...100_000, using: &random))
        if !isLast { child.kill() }
        for line in child.lines() { _ = server.answer(line, &random) }
        return lines
      }
      for _ in 0..<TestSize.count(8, full: 300) {
        _ = try live(false, lines: Int.random(in: 1...40, using: &random))
      }
      let last = try live(true, lines: .max)
      return (server, last)
    }
    let made = last.last?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    var all: [Int: Int] = [:]
    for item in ["milk", "bread", "salt"] {
      #expect(server.violations(of: item, made: made, in: &all).isEmpty)
      let text = server.marks[item, default: []].joined(separator: ",")
      #expect(
        last.contains("has \(item) \(text)"), "the server has \(item) \(text), and the list \(last.suffix(4))"
      )
    }
    #expect(made > 3 && Set(all.keys) == Set(1...max(1, made)) && all.values.allSatisfy { $0 == 1 })
    #expect(server.conflicts > 0 && server.repeats > 0)
  }
}
