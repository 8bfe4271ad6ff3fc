import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import RandomSession
import TestSupport
import Testing

@testable import notes

/// Everything that may happen to one user's notes, with one note and two texts.
@Suite struct NotesExplorationTests {
  private func explorer(_ reduce: @escaping Reducer<Notes, Notes.Action>) -> Explorer<Notes, Notes.Action> {
    Explorer(initialState: Notes(), comparing: Seen.init, reduce: reduce, connect: Self.connect)
      .userActions(Self.userActions)
      .outcomes(of: String.self, sending: Autosave.Action.self) { _ in
        [.answers(.loaded([])), .answers(.loaded([Note(id: 1, text: "tea", title: "TEA")]))]
      }
      .outcomes(of: String.self, sending: String.self) { [.answers($0.uppercased())] }
      .outcomes(of: String.self, sending: Search.Action.self) { [.answers(.found([$0.count]))] }
      .outcomes(of: Autosave.Change.self, sending: Autosave.Action.self) { change in
        [.answers(.saved(change.notes ?? [])), .fails(ShelfFailure.full)]
      }
      .always("a title is that of the text") { notes in
        notes.notebook?.list.present.notes.allSatisfy { [nil, $0.text.uppercased()].contains($0.title) }
          ?? true
      }
      .always("what was found is what was searched for") { notes in
        notes.notebook.map { [[], [$0.search.query.count]].contains($0.search.found) } ?? true
      }
      .always("nothing is saved before the notes are loaded") { notes, running in
        notes.notebook?.autosave.saved != nil || running.requests(of: Autosave.Change.self).isEmpty
      }
      .always("what is not saved is about to be, or a problem says why") { notes, running in
        guard let notebook = notes.notebook, Autosave.Change(of: notebook).notes != nil else { return true }
        return notebook.autosave.problem != nil || !running.requests(of: Autosave.Change.self).isEmpty
      }
      .never("a problem though all is saved") { notes in
        guard let notebook = notes.notebook, notebook.autosave.problem != nil else { return false }
        return notebook.autosave.saved == Array(notebook.list.present.notes)
      }
      .alwaysReachable("all is saved") { notes in
        notes.notebook?.autosave.saved == notes.notebook.map { Array($0.list.present.notes) }
      }
      .printingTests(using: "testStore()", comparing: "Seen")
  }

  @Sendable private static func connect(to store: Store<Notes, Notes.Action>) {
    Notes.connect(to: store, shelf: MemoryShelf(), clock: TestClock())
  }

  /// Edits as long as there is none to be undone.
  @Sendable private static func userActions(in notes: Notes) -> [Notes.Action] {
    guard let notebook = notes.notebook else { return [.signedIn(user: "ann")] }
    let edits: [UndoableAction<NoteList.Action>] = [
      .change(.written(id: 1, text: "milk")), .change(.deleted(id: 1)),
    ]
    return [.signedOut, .notebook(.search(.typed(notebook.search.query.isEmpty ? "m" : "")))]
      + ((notebook.list.past.isEmpty ? edits : []) + [.undo, .redo]).map { .notebook(.list($0)) }
  }

  /// The planted bug: that a save has failed is forgotten.
  @Sendable private static func forgetfulReduce(_ notes: inout Notes, _ action: Notes.Action) {
    if case .notebook(.autosave(.failed)) = action { return }
    Notes.reduce(&notes, action)
  }

  private func testStore(
    _ reduce: @escaping Reducer<Notes, Notes.Action> = Self.forgetfulReduce
  ) -> TestStore<Notes, Notes.Action> {
    TestStore(initialState: Notes(), reduce: reduce, connect: Self.connect)
  }

  @Test(
    "whatever happens, titles and findings are right, and what is written is saved or a problem says why not")
  func shipped() {
    let report = explorer(Notes.reduce).explore(states: 3_000)
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states == 1_624)
  }

  @Test("a save whose failure is forgotten is found in five moves")
  func forgottenFailure() async throws {
    let found = try #require(explorer(Self.forgetfulReduce).explore(states: 3_000).counterexamples.first)
    let change = #"Change(user: "ann", notes: [Note(id: 1, text: "milk", title: nil)])"#
    let save = #"DebouncedEffect<Autosave.SaveEffect> \#(change) in "ann""#
    #expect(
      PrintedStory(found.story).moves == [
        #"the user sends .signedIn(user: "ann")"#,
        #"the user sends .notebook(.list(.change(.written(id: 1, text: "milk"))))"#,
        #"load "ann" in "ann" answers .loaded([])"#,
        "after 0.02 seconds, \(save) begins to be served",
        "\(save) fails with .full",
      ])
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await printedTest { testStore() } }
    await printedTest { testStore(Notes.reduce) }
  }

  /// The test that the explorer prints.
  private func printedTest(_ testStore: () -> TestStore<Notes, Notes.Action>) async {
    let store = testStore()
    store.exhaustivity = .none
    store.send(.signedIn(user: "ann"))
    store.send(.notebook(.list(.change(.written(id: 1, text: "milk")))))
    // swift-format-ignore
    if store.inProgress(in: "ann").contains("ann") { store.answer("ann", in: "ann", with: Autosave.Action.loaded([])) }
    // swift-format-ignore
    if store.inProgress(in: "ann").contains(Autosave.Change(user: "ann", notes: [Note(id: 1, text: "milk", title: nil)])) { store.fail(Autosave.Change(user: "ann", notes: [Note(id: 1, text: "milk", title: nil)]), in: "ann", with: ShelfFailure.full) }
    let holds: (Notes, RunningRequests) -> Bool = { notes, running in
      guard let notebook = notes.notebook, Autosave.Change(of: notebook).notes != nil else { return true }
      return notebook.autosave.problem != nil || !running.requests(of: Autosave.Change.self).isEmpty
    }
    #expect(holds(store.state, store.inProgress()))
    await store.finish()
  }

  @Test("the recording of a long session by chance becomes a way of four moves")
  func longSession() async throws {
    let shrunk = try await explorer(Self.forgetfulReduce).shrunkSession(seed: 1)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves > 300 && found.steps.count == 4, "\(shrunk)")
  }
}

/// What tells notes apart: their state, with the versions of the list as arrays.
private struct Seen: Hashable {
  var user: String?
  var notes: [[Note]] = []
  var undone = 0
  var saved: [Note]?
  var problem: String?
  var search: [String] = []
}

extension Seen {
  init(_ notes: Notes) {
    guard let notebook = notes.notebook else { return }
    let list = notebook.list
    user = notebook.id
    self.notes = (list.past + [list.present] + list.future.reversed()).map { Array($0.notes) }
    undone = list.future.count
    saved = notebook.autosave.saved
    problem = notebook.autosave.problem
    search = [notebook.search.query] + notebook.search.found.map(String.init)
  }
}
