import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// An editor that saves what was typed, and may forget something when its program ends.
@Suite struct CrashAnywhereTests {
  struct State: Equatable, Sendable, Codable {
    var text = ""
    var saved = ""
    var saving: String?
    var edits = 0

    enum CodingKeys: CodingKey { case text, saved, saving }

    init(text: String = "", saved: String = "", saving: String? = nil, edits: Int = 0) {
      (self.text, self.saved, self.saving, self.edits) = (text, saved, saving, edits)
    }
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case saved(String)
  }

  @Sendable private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .typed(let text):
      state.text = text
      state.saving = text
      state.edits += 1
    case .saved(let text):
      state.saved = text
      if state.saving == text { state.saving = nil }
    }
  }

  @Sendable private static func connect(_ store: Store<State, Action>) {
    store.connect(when: \.saving, named: "save") { _, _ in }
  }

  private func test(_ store: TestStore<State, Action>) async {
    store.exhaustivity = .requests
    store.send(.typed("a"))
    store.answer("a", with: .saved("a"))
    store.send(.typed("ab"))
    store.answer("ab", with: .saved("ab"))
    await store.finish()
  }

  @Test func whatIsPersistedIsEnough() async {
    let report = await CrashAnywhere(initialState: State(), reduce: Self.reduce, connect: Self.connect)
      .comparing { [$0.text, $0.saved, $0.saving ?? "-"] }
      .run(test)
    #expect(report.isClean, "\(report)")
    #expect(report.steps == 4)
    #expect(report.description == "4 steps, each followed by an end of the program")
  }

  @Test func whatIsNotPersistedIsTold() async {
    let report = await CrashAnywhere(initialState: State(), reduce: Self.reduce, connect: Self.connect)
      .run(test)
    #expect(report.losses.map(\.step) == [1, 2, 3, 4])
    #expect(report.endings.map(\.step) == [1, 2, 3, 4])
    #expect(
      report.losses[1].description == """
          after step 2, .saved("a") from save "a":

          edits: expected 1, is 0
        """)
    #expect(
      report.description.hasPrefix("What is persisted is not the state:\n\n  after step 1, .typed(\"a\"):"))
  }

  @Test func aRequestThatIsNotAskedForAgain() async {
    // The request is forgotten with the program, so what was typed last is never saved.
    let report = await CrashAnywhere(
      initialState: State(), reduce: Self.reduce,
      persisting: { State(text: $0.text, saved: $0.saved, edits: $0.edits) }, connect: Self.connect
    ).run(test)
    #expect(report.losses.map(\.step) == [1, 3])
    #expect(report.endings.map(\.step) == [3])
    #expect(report.endings.first?.text == "  saved: expected \"ab\", is \"a\"")
  }

  @Test func aStateThatCannotBePersisted() async {
    struct Unreadable: Error {}
    let report = await CrashAnywhere(
      initialState: State(), reduce: Self.reduce, persisting: { _ in throw Unreadable() },
      connect: Self.connect
    ).run(test)
    #expect(
      report.losses.map(\.text) == Array(repeating: "  the state cannot be persisted: Unreadable()", count: 4)
    )
    #expect(report.endings.isEmpty)
  }
}
