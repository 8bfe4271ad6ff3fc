import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// Which effects a list of outcomes is about.
@Suite struct ExplorerOutcomeTests {
  struct State: Hashable, Sendable {
    var title: String?
    var count: Int?
  }

  enum Action: Sendable {
    case titled(String)
    case counted(Int)
  }

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .titled(let title): state.title = title
    case .counted(let count): state.count = count
    }
  }

  /// Two effects ask for the same text, and answer by actions of their own.
  private static func connect(to store: Store<State, Action>) {
    store.connect(
      when: { $0.title == nil ? "text" : nil }, action: Action.titled, named: "title", run: { _, _ in })
    store.connect(
      when: { $0.count == nil ? "text" : nil }, action: Action.counted, named: "count", run: { _, _ in })
  }

  @Test func outcomesOfAnActionTypeAreThoseOfTheEffectsThatSendIt() {
    let explorer = Explorer(initialState: State(), reduce: Self.reduce) { Self.connect(to: $0) }
      .outcomes(of: String.self, sending: String.self) { [.answers($0.uppercased())] }
    let half = explorer.explore()
    #expect(half.unlisted == ["count (String)"] && half.problems.isEmpty)
    let both = explorer.outcomes(of: String.self, sending: Int.self) { [.answers($0.count)] }
      .alwaysReachable("both are known") { $0 == State(title: "TEXT", count: 4) }.explore()
    #expect(both.isClean, "\(both)")
    #expect(both.counts.states == 4)
  }
}
