import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// The stories of explorers abridge large values.
@Suite struct ExplorerStoryTests {
  struct Letter: Hashable, Sendable {
    var text: String
    var number: Int
  }

  struct State: Hashable, Sendable {
    var letter: Letter?
    var sent = 0
  }

  enum Action: Hashable, Sendable {
    case written(Letter)
    case sent(Letter)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .written(let letter): state.letter = letter
    case .sent:
      state.letter = nil
      state.sent += 1
    }
  }

  static func connect(to store: Store<State, Action>) {
    store.connect(when: \.letter, named: "post") { letter, send in await send(.sent(letter)) }
  }

  private func found(writing texts: String...) throws -> Counterexample<State, Action> {
    let letters = texts.map { Letter(text: $0, number: 7) }
    let report = Explorer(initialState: State(), reduce: Self.reduce, connect: Self.connect)
      .userActions { state in state.sent > 0 ? [] : letters.map { .written($0) } }
      .outcomes(of: Letter.self) { [.answers(.sent($0))] }
      .never("sent") { $0.sent > 0 }
      .explore()
    return try #require(report.counterexamples.first, "\(report)")
  }

  @Test("a large request is abridged in the story, and whole in the printed test")
  func abridged() throws {
    let text = "Dear Ann, " + String(repeating: "x", count: 1_000) + " yours, Bob"
    let found = try found(writing: text)
    let request =
      #"Letter(text: "Dear Ann, "# + String(repeating: "x", count: 56) + #" … rs, Bob", number: 7)"#
    let action = String(repeating: "x", count: 47) + #" … s, Bob", number: 7))"#
    let lines = found.story.split(separator: "\n").map(String.init)
    #expect(
      lines.contains(#"  1. the user sends .written(Letter(text: "Dear Ann, "# + action), "\(found.story)")
    #expect(lines.contains("       in progress: \(request)"), "\(found.story)")
    #expect(lines.contains { $0.hasPrefix("  2. post \(request) answers .sent(Letter(") }, "\(found.story)")
    #expect(lines.allSatisfy { $0.count < 260 }, "\(found.story)")
    #expect(found.test.contains(text))
  }

  @Test("a value of 120 characters is told whole")
  func whole() throws {
    let text = String(repeating: "é", count: 120 - #"Letter(text: "", number: 7)"#.count)
    let request = #"Letter(text: "\#(text)", number: 7)"#
    let lines = try found(writing: text).story.split(separator: "\n")
    #expect(lines.contains("       in progress: \(request)"), "\(lines)")
    let longer = try found(writing: text + "e").story.split(separator: "\n")
    let start = #"       in progress: Letter(text: ""# + String(repeating: "é", count: 66) + " … "
    #expect(longer.contains { $0.hasPrefix(start) }, "\(longer)")
  }

  @Test("requests that differ in the abridged part alone are told as different")
  func alike() throws {
    let letters = ["1", "2"].map { digit in
      Letter(text: String(repeating: "x", count: 200) + digit + String(repeating: "x", count: 200), number: 7)
    }
    let report = Explorer(initialState: State(), reduce: Self.reduce, connect: Self.connect)
      .userActions { state in [.written(state.letter == nil ? letters[0] : letters[1])] }
      .outcomes(of: Letter.self) { _ in [] }
      .never("rewritten") { $0.letter == letters[1] }
      .explore()
    let story = try #require(report.counterexamples.first).story
    #expect(story.split(separator: "\n").count { $0.contains("in progress: Letter") } == 2, "\(story)")
  }
}
