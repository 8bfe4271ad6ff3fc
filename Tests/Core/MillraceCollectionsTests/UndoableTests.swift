import Foundation
import MillraceCollections
import Testing

@Suite("Undoable values", .timeLimit(.minutes(10))) struct UndoableTests {
  private enum Edit: Equatable, Sendable {
    case typed(String)
    case looked(String)
  }

  private let reduce: @Sendable (inout Undoable<String>, UndoableAction<Edit>) -> Void = undoable {
    text, edit in
    switch edit {
    case .typed(let more): text += more
    case .looked(let other): text = other
    }
  } where: { edit in
    if case .typed = edit { true } else { false }
  }

  private func reduced(_ text: inout Undoable<String>, _ actions: UndoableAction<Edit>...) {
    for action in actions { reduce(&text, action) }
  }

  @Test("what was changed is gone back to, and forward to again")
  func both() {
    var text = Undoable("")
    reduced(&text, .change(.typed("a")), .change(.typed("b")), .undo)
    #expect(text.present == "a")
    #expect(text.canUndo && text.canRedo)
    reduced(&text, .redo)
    #expect(text.present == "ab")
    #expect(!text.canRedo)
    reduced(&text, .undo, .undo, .undo)
    #expect(text.present.isEmpty && !text.canUndo)
    reduced(&text, .redo, .redo, .redo)
    #expect(text.present == "ab")
  }

  @Test("a change after an undo forgets what was undone")
  func forked() {
    var text = Undoable("")
    reduced(&text, .change(.typed("a")), .undo, .change(.typed("b")), .redo)
    #expect(text.present == "b")
    #expect(text.past == [""])
  }

  @Test("the oldest versions are dropped at the limit")
  func limited() {
    var text = Undoable("", limit: 2)
    for letter in ["a", "b", "c"] { reduced(&text, .change(.typed(letter))) }
    #expect(text.past == ["a", "ab"])
    reduced(&text, .undo, .undo, .undo)
    #expect(text.present == "a")
    #expect(text.future == ["abc", "ab"])
  }

  @Test("what changes nothing and what is not recorded make no version")
  func unrecorded() {
    var text = Undoable("a")
    reduced(&text, .change(.typed("")), .change(.looked("b")))
    #expect(text.present == "b")
    #expect(!text.canUndo)
    reduced(&text, .change(.typed("c")), .change(.looked("d")), .undo)
    #expect(text.present == "b")
    text.forgetVersions()
    #expect(!text.canUndo && !text.canRedo)
  }

  @Test("a value is stored with its versions")
  func stored() throws {
    var text = Undoable("", limit: 3)
    reduced(&text, .change(.typed("a")), .change(.typed("b")), .undo)
    var again = try JSONDecoder().decode(Undoable<String>.self, from: JSONEncoder().encode(text))
    #expect(again == text && again.limit == 3)
    reduced(&again, .redo)
    #expect(again.present == "ab")
  }

  @Test(
    "what no value can have is refused",
    arguments: [
      (
        #"{"present":"a","past":[],"future":[],"limit":0}"#,
        "an undoable value keeps at least one version, not 0"
      ),
      (#"{"present":"a","past":["b"],"future":["c"],"limit":1}"#, "2 versions, where at most 1 are kept"),
    ])
  func damaged(text: String, problem: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Undoable<String>.self, from: Data(text.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription == problem)
  }
}
