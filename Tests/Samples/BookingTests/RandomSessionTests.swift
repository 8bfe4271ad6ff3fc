import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import TestSupport
import Testing

@testable import booking

@Suite("Random sessions of the booking", .timeLimit(.minutes(10))) struct RandomSessionTests {
  private static let lines = [
    "7", "9", "book", "book", "1a", "2b", "", "Ann", "yes", "no", "back", "home", "open trip/7/seat",
    "open trip/9", "open tickets", "tickets", "ann", "<", "<", "<",
  ]

  @Test(
    "whatever is typed and swiped, and however often it begins again, what is wanted is shown",
    arguments: 0..<UInt64(TestSize.count(3, full: 15)))
  func sessions(part: UInt64) async throws {
    let folder = try TemporaryFolder(isInMemory: true)
    for seed in part * 20..<part * 20 + 20 {
      let problems = try await session(seed, at: folder.file("\(seed)"))
      #expect(problems == [], "seed \(seed)")
    }
  }

  private func session(_ seed: UInt64, at path: String) async throws -> [String] {
    var random = SeededGenerator(seed: seed)
    let clock = TestClock()
    let session = Session(path: path) { _ in }
    var life = try await session.begin(on: clock)
    for _ in 0..<Int.random(in: 5...40, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<7:
        await life.store.send(life.window.action(of: Self.lines.randomElement(using: &random) ?? ""))
      case 7..<11: clock.advance(by: Window.slide * Int.random(in: 1...3, using: &random) / 2)
      default:
        let kept = life.store.state.kept
        try await life.end()
        life = try await session.begin(on: clock)
        if life.store.state.kept != kept { return ["\(kept) has become \(life.store.state.kept)"] }
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
    }
    await life.rest(clock)
    let state = life.store.state
    var problems: [String] = []
    if await life.window.stack != Array(state.navigation.wanted.entries) {
      problems.append("\(await life.window.stack) are shown, not \(state.navigation.wanted.entries)")
    }
    if (state.question != nil) != (state.destination != nil) {
      problems.append("\(state.navigation.wanted.screens), and then \(state.destination ?? [])")
    }
    try await life.end()
    if try await life.storage.load().value ?? Kept() != state.kept {
      problems.append("not on disk: \(state.kept)")
    }
    await life.storage.close()
    return problems
  }
}
