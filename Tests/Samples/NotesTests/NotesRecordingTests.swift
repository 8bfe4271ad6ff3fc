import Foundation
import Millrace
import MillraceTesting
import MillraceTrace
import Testing

@testable import notes

@Suite("Recordings of the program do the same today")
struct NotesRecordingTests {
  /// A file of each way through the program that was recorded, by `MILLRACE_TRACE=FILE swift run notes` or by a test.
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Recordings")

  private static func replay(_ path: String, reduce: @escaping Reducer<Notes, Notes.Action> = Notes.reduce)
    throws
    -> ReplayVerdict
  {
    try Replay(of: path, from: Notes(), reduce: reduce) { store in
      Notes.connect(to: store, shelf: MemoryShelf(), clock: ContinuousClock())
    }.verdict()
  }

  private static var paths: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted()
      .map { folder.appending(path: $0).path } ?? []
  }

  @Test("each recording of the folder replays the same")
  func folder() throws {
    #expect(!Self.paths.isEmpty)
    for path in Self.paths {
      let verdict = try Self.replay(path)
      #expect(verdict.isSame, "\(path): \(verdict)")
      guard case .same(let summary) = verdict else { continue }
      #expect(summary.actions > 10)
      #expect(summary.decisions > 10)
      #expect(summary.notReplayed.isEmpty && summary.notRecorded.isEmpty, "\(summary)")
    }
  }

  @Test("a changed reducer and a changed request are found")
  func changed() throws {
    let path = try #require(Self.paths.first)
    let forgetting = try Self.replay(path) { state, action in
      if case .notebook(.autosave(.saved)) = action { return }
      Notes.reduce(&state, action)
    }
    #expect(!forgetting.isSame)
    let asking = try Self.replay(path) { state, action in
      Notes.reduce(&state, action)
      if case .notebook(.search(.typed("ca"))) = action { state.notebook?.search.query = "c" }
    }
    guard case .requestsDiffer(let difference) = asking else {
      Issue.record("\(asking)")
      return
    }
    #expect(difference.action.contains("typed"))
  }
}
