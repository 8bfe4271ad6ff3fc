import MillraceCollections
import Testing

@Suite("Timelines", .timeLimit(.minutes(10))) struct TimelineTests {
  private enum Edit: Equatable, Sendable {
    case typed(String)
    case looked(String)
  }
  private typealias Text = Timeline<String, Edit>

  private let reduce: @Sendable (inout Text, TimelineAction<Edit>) -> Void = timeline { text, edit in
    switch edit {
    case .typed(let more): text += more
    case .looked(let mark): text = text.filter { !"!?".contains($0) } + mark
    }
  } where: { edit in
    if case .typed = edit { true } else { false }
  }

  private func reduced(_ text: inout Text, _ actions: TimelineAction<Edit>...) {
    for action in actions { reduce(&text, action) }
  }

  private func type(_ letters: String, _ text: inout Text) {
    for letter in letters { reduce(&text, .change(.typed(String(letter)))) }
  }

  @Test("steps are gone back to and forward again, and the last one forward is the return")
  func steps() {
    var text = Text("")
    type("abc", &text)
    #expect(text.steps.map(\.state) == ["a", "ab", "abc"])
    #expect(text.steps.map(\.action) == [.typed("a"), .typed("b"), .typed("c")])
    reduced(&text, .back)
    #expect(text.state == "ab" && text.number == 2)
    #expect(text.live == nil && text.present == "abc")
    reduced(&text, .back, .back, .back, .back)
    #expect(text.state.isEmpty && !text.canGoBack && text.number == 0)
    reduced(&text, .forward, .forward)
    #expect(text.state == "ab" && !text.isLive)
    reduced(&text, .forward)
    #expect(text.live == "abc")
    reduced(&text, .forward)
    #expect(text.live == "abc")
  }

  @Test("what arrives while one looks back is refused by choice, and counted")
  func refused() {
    var text = Text("", arrivals: .refused)
    type("ab", &text)
    reduced(&text, .back)
    type("xyz", &text)
    reduced(&text, .live)
    #expect(text.live == "ab" && text.refused == 3)
  }

  @Test("no more actions are held than the limit")
  func heldLimit() {
    var text = Text("", limit: 2)
    type("ab", &text)
    reduced(&text, .back)
    type("xyz", &text)
    #expect(text.held == [.typed("x"), .typed("y")] && text.refused == 1)
    reduced(&text, .live)
    #expect(text.live == "abxy")
  }

  @Test("a branch goes on from the step in view with what was held, and the other future is kept")
  func branch() {
    var text = Text("")
    type("abc", &text)
    reduced(&text, .to(step: 1))
    type("x", &text)
    reduced(&text, .branch)
    #expect(text.live == "ax" && text.steps.map(\.number) == [1, 4])
    #expect(text.branches.map(\.id) == [2] && text.branches[0].follows == 1)
    #expect(text.branches[0].steps.map(\.state) == ["ab", "abc"])
    reduced(&text, .take(branch: 2))
    #expect(text.live == "abc")
    #expect(text.branches.map(\.id) == [4] && text.branches[0].follows == 1)
    reduced(&text, .branch)
    #expect(text.branches.count == 1)
  }

  @Test("a branch of a branch is taken up with the steps that lead to it")
  func nested() {
    var text = Text("")
    type("abc", &text)
    reduced(&text, .to(step: 2), .branch)
    type("x", &text)
    reduced(&text, .to(step: 1), .branch)
    type("y", &text)
    #expect(text.live == "ay")
    #expect(text.branches.map(\.id).sorted() == [2, 3])
    reduced(&text, .take(branch: 3))
    #expect(text.live == "abc" && text.steps.map(\.number) == [1, 2, 3])
    #expect(text.branches.map(\.id).sorted() == [4, 5])
    #expect(text.branches.first { $0.id == 4 }?.follows == 2)
  }

  @Test("a forgotten branch goes with those that follow it")
  func forgotten() {
    var text = Text("")
    type("abc", &text)
    reduced(&text, .to(step: 2), .branch)
    type("x", &text)
    reduced(&text, .to(step: 1), .branch)
    type("y", &text)
    reduced(&text, .forget(branch: 9))
    #expect(text.branches.count == 2)
    reduced(&text, .forget(branch: 2))
    #expect(text.branches.isEmpty && text.live == "ay")
    reduced(&text, .to(step: 0), .branch, .forgetBranches)
    #expect(text.branches.isEmpty && text.live == "")
  }

  @Test("the oldest steps are dropped at the limit, with the branches that followed them")
  func limited() {
    var text = Text("", limit: 3)
    type("ab", &text)
    reduced(&text, .to(step: 0), .branch)
    type("cde", &text)
    #expect(text.branches.map(\.follows) == [0] && text.start == "")
    type("f", &text)
    #expect(text.steps.map(\.state) == ["cd", "cde", "cdef"])
    #expect(text.start == "c" && text.startNumber == 3 && text.branches.isEmpty)
    reduced(&text, .to(step: 3))
    #expect(text.state == "c" && !text.canGoBack)
  }

  @Test("branches have at most as many steps as the limit, and the oldest is forgotten first")
  func limitedBranches() {
    var text = Text("", limit: 3)
    type("abc", &text)
    for letters in ["d", "ef"] {
      reduced(&text, .to(step: 1), .branch)
      type(letters, &text)
    }
    #expect(text.branches.map(\.id) == [2, 4])
    reduced(&text, .to(step: 1), .branch)
    #expect(text.branches.map(\.id) == [4, 5])
  }

  @Test("an action that is no step belongs to the step before it")
  func unrecorded() {
    var text = Text("")
    reduced(&text, .change(.looked("!")))
    #expect(text.start == "!" && text.steps.isEmpty)
    type("a", &text)
    reduced(&text, .change(.looked("?")))
    #expect(text.steps.map(\.state) == ["a?"])
    reduced(&text, .back, .change(.looked("!")), .live)
    #expect(text.live == "a!")
  }

  @Test("all steps are forgotten, and the state in view is the start")
  func forgetSteps() {
    var text = Text("")
    type("abc", &text)
    reduced(&text, .back)
    type("x", &text)
    reduced(&text, .forgetSteps)
    #expect(text.start == "ab" && text.live == "abx")
    #expect(text.steps.map(\.number) == [4] && text.startNumber == 2)
  }
}
