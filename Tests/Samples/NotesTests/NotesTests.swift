import Foundation
import Millrace
import MillraceTestStore
import MillraceTesting
import MillraceTrace
import Testing

@testable import notes

@Suite struct NotesTests {
  private let clock = TestClock()

  /// A store with a notebook that is not loaded.
  private func testStore() -> TestStore<Notes, Notes.Action> {
    let store = TestStore(initialState: Notes(), reduce: Notes.reduce) { [clock] in
      Notes.connect(
        to: $0, shelf: MemoryShelf(["ann": [Note(id: 1, text: "cat", title: "cat")]]), clock: clock)
    }
    store.send(.signedIn(user: "ann")) { $0.notebook = Notebook(id: "ann") }
    store.exhaustivity.remove(.state)
    return store
  }

  private func write(_ id: Int, _ text: String) -> Notes.Action {
    .notebook(.list(.change(.written(id: id, text: text))))
  }

  private func texts(_ state: Notes) -> [String] { state.notebook?.list.present.notes.map(\.text) ?? [] }

  /// What there is to save.
  private func change(_ state: Notes) -> [Autosave.Change] { state.notebook.map { [.init(of: $0)] } ?? [] }

  @Test("nothing is saved before the notes are loaded, and what was written meanwhile is kept")
  func loadFirst() async {
    let store = testStore()
    store.send(write(2, "milk"))
    store.expect(running: "ann", "milk")
    store.answer("milk", with: "MILK")
    store.answer("ann", with: Autosave.Action.loaded([Note(id: 1, text: "old", title: "old")]))
    #expect(texts(store.state) == ["old", "milk"])
    store.expect(running: change(store.state))
    let kept = store.state.notebook?.list.present.notes
    store.answer(change(store.state)[0], with: Autosave.Action.saved(Array(kept ?? []))) {
      $0.notebook?.autosave.problem = nil
    }
    await store.finish()
  }

  @Test("a text that was written again is looked up anew")
  func lateTitle() async {
    let store = testStore()
    store.send(write(2, "milk"))
    store.send(write(2, "bread"))
    store.expect(stopped: "milk")
    store.answer("bread", with: "BREAD") { $0.notebook?.list.present.notes[id: 2]?.title = "BREAD" }
    await store.finish(running: "ann")
  }

  @Test("an edit is undone, and a title that arrives is no edit")
  func undo() async {
    let store = testStore()
    for (id, text) in [(2, "milk"), (3, "bread")] {
      store.send(write(id, text))
      store.answer(text, with: text.uppercased())
    }
    for (action, expected) in [(.undo, ["milk"]), (.undo, []), (.redo, ["milk"])]
      as [(UndoableAction<NoteList.Action>, [String])]
    {
      store.send(.notebook(.list(action)))
      #expect(texts(store.state) == expected)
    }
    store.exhaustivity.remove(.requests)  // what was undone has its title looked up again
    await store.finish()
  }

  @Test("letters that follow each other are searched for once")
  func debounce() async {
    let store = testStore()
    for query in ["c", "ca", "cat"] { store.send(.notebook(.search(.typed(query)))) }
    store.expect(stopped: "c", "ca")
    store.execute("cat")
    await store.advance(clock, by: .milliseconds(20))
    await store.receive(.notebook(.search(.found([1])))) { $0.notebook?.search.found = [1] }
    await store.finish(running: "ann")
  }

  @Test("sign-out ends everything, and what was under way does not reach the next user")
  func signOut() async {
    let store = testStore()
    store.send(write(2, "milk"))
    store.send(.signedOut) { $0.notebook = nil }
    store.expect(stopped: "ann", "milk")
    store.send(.signedIn(user: "bob")) { $0.notebook = Notebook(id: "bob") }
    await store.finish(running: "bob")
  }

  @Test("a save that fails is a problem that the state shows")
  func full() async {
    let store = testStore()
    store.answer("ann", with: Autosave.Action.loaded([]))
    store.send(write(2, "milk"))
    store.fail(change(store.state)[0], with: ShelfFailure.full) { $0.notebook?.autosave.problem = "full" }
    await store.finish(running: "milk")
  }
}

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
