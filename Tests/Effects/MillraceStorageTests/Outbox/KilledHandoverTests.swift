import Foundation
import MillraceStorage
import TestSupport
import Testing

/// What a receiver has been told in all lives of the program.
private struct Deliveries {
  private var payloads: [OutboxKey: String] = [:]
  private var keys: [String: OutboxKey] = [:]
  private var inbox = Inbox()
  /// The number of the last order that was applied, by customer.
  private(set) var applied: [String: Int] = [:]
  private(set) var repeats = 0
  private(set) var violations: [String] = []

  mutating func lived(_ lines: [String]) {
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "loaded": if words.last != "whole" { violations.append(line) }
      case "delivered":
        guard words.count == 3, let key = OutboxKey(words[1]) else { fallthrough }
        delivered(words[2], key)
      default: violations.append(line)
      }
    }
  }

  private mutating func delivered(_ payload: String, _ key: OutboxKey) {
    if let other = payloads.updateValue(payload, forKey: key), other != payload {
      violations.append("\(key) is \(other) and \(payload)")
    }
    if let other = keys.updateValue(key, forKey: payload), other != key {
      violations.append("\(payload) is \(other) and \(key)")
    }
    let parts = payload.split(separator: ":").map(String.init)
    guard inbox.accept(key, lane: parts[0]) else {
      repeats += 1
      return
    }
    let expected = applied[parts[0], default: 0] + 1
    if Int(parts[1]) != expected { violations.append("\(payload) was applied in the place of \(expected)") }
    applied[parts[0]] = expected
  }
}

@Suite struct KilledHandoverTests {
  @Test(
    "killed at random moments, a program hands over every order, in order, under one key, and none that was not saved",
    arguments: [true, false])
  func killed(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder(isInMemory: isInMemory)
    let path = folder.file("shop")
    let enough = TestSize.count(2, full: 10)
    let deliveries = try await onOwnThread {
      var random = SystemRandomNumberGenerator()
      var deliveries = Deliveries()
      for life in 1...300 where life <= TestSize.count(5, full: 40) || deliveries.repeats < enough {
        let child = try ProbeProcess("hand-over", path)
        var lines: [String] = []
        for _ in 0..<Int.random(in: 1...60, using: &random) { lines.append(child.line() ?? "ended") }
        spin(turns: Int.random(in: 0...100_000, using: &random))
        child.kill()
        lines += child.lines()
        deliveries.lived(lines)
      }
      return deliveries
    }
    #expect(deliveries.violations.isEmpty)
    #expect(
      deliveries.repeats >= enough,
      "no kill hit an entry between its delivery and the save of its confirmation")
    #expect(deliveries.applied.count == 3)
  }
}
