import Foundation
import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@testable import timetravel

@Suite("Recordings of the time travel") struct RecordingTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// Recorded by `MILLRACE_TRACE=FILE swift run timetravel --script`.
  private static func replay(reduce: @escaping Reducer<TimeTravel, TimeTravel.Action>) throws -> ReplayVerdict
  {
    let path = folder.appending(path: "Recordings/demonstration.jsonl").path
    return try Replay(of: path, from: TimeTravel(), reduce: reduce) { store in
      TimeTravel.connect(to: store, shop: Shop(clock: TestClock()))
    }.verdict()
  }

  @Test("the recorded demonstration does the same today: the same states, and the same requests at each step")
  func same() throws {
    let verdict = try Self.replay(reduce: TimeTravel.reduce)
    guard case .same(let summary) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(summary.actions == Script.demonstration.steps.count)
    #expect(summary.notReplayed.isEmpty && summary.notRecorded.isEmpty, "\(summary)")
  }

  @Test("a reducer that does not look back is found")
  func different() throws {
    let verdict = try Self.replay { program, action in
      if action != .typed("<") { TimeTravel.reduce(&program, action) }
    }
    #expect(!verdict.isSame)
  }
}
