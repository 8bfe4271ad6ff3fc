import Foundation
import MillraceStorage
import TestSupport
import Testing

@testable import MillraceStorage

@Suite struct KilledCommandTests {
  private typealias Shop = DurableOutbox<String, String, Int>

  @Test(
    "killed at random moments, a program makes each change that was asked for once, and leaves no file of it")
  func killed() async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    let path = folder.file("shop")
    let commands = CommandFolder(of: path)
    let enough = TestSize.count(1, full: 5)
    var (asked, saved, random) = (0, 0, SystemRandomNumberGenerator())
    for life in 1...400 where life <= TestSize.count(8, full: 60) || saved < enough {
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        try commands.add(.pause(lane: "\(asked)"))
        asked += 1
      }
      let (lines, turns) = (
        Int.random(in: 0...2, using: &random), Int.random(in: 0...2_000_000, using: &random)
      )
      try await onOwnThread {
        let child = try ProbeProcess("operate", path)
        for _ in 0..<lines { _ = child.line() }  // "loaded", "commanded"
        spin(turns: turns)
        child.kill()
        _ = child.lines()
      }
      // Whether the kill came between the save of a result and the removal of its command.
      let stored = Shop.Storage(at: path)
      if case .numbers(_, _, let taken?)? = try await stored.load().entries[.numbers] {
        if !taken.isDisjoint(with: commands.contents().commands.map(\.name)) { saved += 1 }
      }
      await stored.close()
    }
    let child = try ProbeProcess("operate", path)
    try await eventually { !FileManager.default.fileExists(atPath: path + ".commands") }
    child.kill()
    _ = child.lines()
    let entries = try await Shop.Storage(at: path).load().entries
    for number in 0..<asked { #expect(entries[.value("\(number)")] == .value(1)) }
    #expect(saved >= enough, "no kill came between the save of a result and the removal of its command")
  }
}
