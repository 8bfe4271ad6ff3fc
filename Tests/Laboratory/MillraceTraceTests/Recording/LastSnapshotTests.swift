import Millrace
import TestSupport
import Testing

@testable import MillraceTrace

@Suite("A recording that ends in order has the last state", .timeLimit(.minutes(10)))
struct LastSnapshotTests {
  @Test(
    "a recording has its last snapshot however it ends", arguments: EndingTests.Way.allCases,
    EndingTests.Place.allCases)
  func ends(_ way: EndingTests.Way, in place: EndingTests.Place) async throws {
    let recorded = try await EndingTests.record(way, in: place)
    let text = try recorded.text
    let last = try #require(text.actions.last?.sequence)
    #expect(text.snapshots.map(\.sequence) == [0, last])
    let verdict = try recorded.replay(EndingTests.reduce, { _ in }).verdict(without: ["look", "signal"])
    guard case .same(let summary) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect((summary.snapshots, summary.lastComparedAction, summary.uncomparedActions) == (1, last, 0))
    #expect(!summary.description.contains("no state was compared"))
  }

  @Test("a recording has its last snapshot once, where a snapshot follows each action")
  func once() async throws {
    let text = try await EndingTests.record(.shutDown, every: 1).text
    #expect(text.snapshots.map(\.sequence) == [0, 1, 2])
  }

  @Test("in the file of the actions before it, also where the next snapshot would begin another file")
  func rotated() async throws {
    let folder = try TemporaryFolder()
    let store = Store(initialState: 0) { (state: inout Int, text: String) in state += text.utf8.count }
    let recording = try store.record(to: .file(folder.file("trace"), rotatingAt: 2_000, keeping: 0))
    await store.send(String(repeating: "x", count: 2_000))
    try await recording.flush()
    try await recording.finish()
    let text = try FileTests.read(folder.file("trace"))
    #expect(text.header.part == 1)
    #expect(text.snapshots.map(\.state) == [.json(.int(0)), .json(.int(2_000))])
  }

  @Test("the last snapshot is redacted as the others are, and compared so")
  func redacted() async throws {
    let rules: [Redaction] = [.keyPath(\Shop.Price.count, named: "counts", with: 0)]
    let names: [Redaction] = [.text(named: "names") { $0 == "tea" ? "-" : $0 }]
    for rules in [rules, names] {
      let memory = TraceMemory()
      memory.append(try await record(redacting: rules) { await $0.send(.wanted("tea", count: 2)) })
      let verdict = try Replay(of: memory, redacting: rules, reduce: Shop.reduce) { Shop.connect($0) }
        .verdict()
      guard case .same(let summary) = verdict else {
        Issue.record("\(verdict)")
        return
      }
      #expect(summary.uncomparedActions == 0)
    }
  }

  @Test("a recording of a killed program says after which action no state was compared")
  func killed() async throws {
    for (every, words) in [(64, "no state was compared"), (2, "no state was compared after action 2")] {
      let memory = TraceMemory()
      let store = Store(initialState: 0) { (state: inout Int, step: Int) in state += step }
      let recording = try store.record(to: .memory(memory), snapshotEvery: every)
      try await recording.flush()
      for _ in 1...3 {
        await store.send(1)
        try await recording.flush()
      }
      let verdict = try Replay(of: memory) { (state: inout Int, step: Int) in state += step }.verdict()
      guard case .same(let summary) = verdict else {
        Issue.record("\(verdict)")
        return
      }
      #expect(verdict.isSame)
      #expect(summary.lastComparedAction == (every == 2 ? 2 : nil))
      #expect(summary.uncomparedActions == (every == 2 ? 1 : 3))
      #expect(verdict.description.hasSuffix("; \(words)"))
      await store.shutdown()
    }
  }
}
