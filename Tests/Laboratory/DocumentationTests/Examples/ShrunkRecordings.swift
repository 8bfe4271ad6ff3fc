import Millrace
import MillraceExplorer
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

/// A text that is saved as it is edited. A failure to save is noted, and nothing tries again.
private enum Diary {
  struct DiskFull: Error, Codable, Hashable {}

  struct State: Codable, Hashable, Sendable {
    var text = ""
    var saved = ""
    var hasFailed = false
  }

  enum Action: Codable, Hashable, Sendable {
    case edited(String)
    case saved(String)
    case failed(DiskFull)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .edited(let text): (state.text, state.hasFailed) = (text, false)
    case .saved(let text): state.saved = text
    case .failed: state.hasFailed = true
    }
  }

  struct Saving: EffectComponent {
    let disk: Disk

    func requests(in state: State) -> Set<String> {
      state.text != state.saved && !state.hasFailed ? [state.text] : []
    }
    func run(_ text: String, send: Send<Action>) async throws(DiskFull) {
      try disk.write(text)
      await send(.saved(text))
    }
    func action(for failure: DiskFull, of text: String) -> Action { .failed(failure) }
  }

  /// Has no room for one of the edits.
  struct Disk: Sendable {
    func write(_ text: String) throws(DiskFull) { if text == "edit 17" { throw DiskFull() } }
  }

  static func connect(to store: Store<State, Action>) {
    store.connect(Saving(disk: Disk()), named: "Saving")
  }
}

@Suite struct ShrunkRecordingTests {
  private func recording(_ edits: Int, to path: String) async throws {
    let store = Store(initialState: Diary.State(), reduce: Diary.reduce)
    let recording = try store.record(to: .file(path))
    Diary.connect(to: store)
    for number in 1...edits {
      await store.send(.edited("edit \(number)"))
      await store.settled()
    }
    try await recording.finish()
  }

  @Test func aLongSessionBecomesAStory() async throws {
    let folder = try TemporaryFolder()
    try await recording(300, to: folder.file("trace.jsonl"))
    try withKnownIssue {
      // The page names a file of the working folder.
      // swift-format-ignore
      func Replay<S: Decodable, A: Decodable>(
        of name: String, reduce: @escaping Reducer<S, A>
      ) throws -> MillraceTrace.Replay<S, A> {
        try MillraceTrace.Replay(of: folder.file(name), reduce: reduce)
      }
      let shrunk = try Explorer(initialState: Diary.State(), reduce: Diary.reduce, connect: Diary.connect)
        .always("what is shown is saved or being saved") { state, running in
          state.text == state.saved || !running.isEmpty
        }
        .shrink(Replay(of: "trace.jsonl", reduce: Diary.reduce))
      #expect(shrunk.isClean, "\(shrunk)")
    } matching: { issue in
      "\(issue)".contains(
        """
          1. the user sends .edited("edit 17")
               text: "" → "edit 17"
               in progress: "edit 17"
          2. Saving "edit 17" fails with DiskFull()
               hasFailed: false → true
               in progress: nothing
        """)
    }
  }

  @Test func aRecordingIsPlayedAndCrashed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("trace.jsonl")
    try await recording(3, to: path)
    let recording = try Replay(of: path, reduce: Diary.reduce)
    let report = try await CrashAnywhere(
      initialState: Diary.State(), reduce: Diary.reduce, connect: Diary.connect
    )
    .run(recording)
    #expect(report.isClean, "\(report)")
    let disk = Diary.Disk()
    let outcome = try await Diary.Saving(disk: disk).outcome(ofRun: 1, in: path)
    #expect(outcome.sent == [.saved("edit 1")])
  }

  @Test func aTestGoesOn() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("trace.jsonl")
    try await recording(3, to: path)
    let store = TestStore(initialState: Diary.State(), reduce: Diary.reduce, connect: Diary.connect)
    try store.play(Replay(of: path, reduce: Diary.reduce))
    store.send(.edited("one more")) { ($0.text, $0.hasFailed) = ("one more", false) }
    store.answer("one more", with: .saved("one more")) { $0.saved = "one more" }
    await store.finish()
  }
}
