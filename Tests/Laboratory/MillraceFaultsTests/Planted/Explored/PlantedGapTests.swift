import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// A bug behind an answer that nobody has listed: the report is not clean, and says what is missing.
@Suite struct PlantedGapTests {
  struct State: Hashable, Sendable {
    var unread = 0
    var isRead = false
  }

  enum Action: Hashable, Sendable {
    case read
    case counted(Int)
  }

  private func explorer(listing isListed: Bool, _ version: PlantedVersion) -> Explorer<State, Action> {
    let explorer = Explorer<State, Action>(
      initialState: State(),
      reduce: { state, action in
        switch action {
        case .read: state = State(isRead: true)
        case .counted(let unread): if !version.isMended || !state.isRead { state.unread = unread }
        }
      },
      connect: { store in
        let count = { @Sendable (_: State) -> String? in "count" }
        store.connect(when: count, named: "badge") { _, send in await send(.counted(1)) }
      }
    )
    .userActions { _ in [.read] }
    .never("something unread is read") { $0.isRead && $0.unread > 0 }
    return isListed ? explorer.outcomes(of: String.self) { _ in [.answers(.counted(1))] } : explorer
  }

  @Test(arguments: PlantedVersion.allCases) func isFound(_ version: PlantedVersion) {
    let incomplete = explorer(listing: false, version).explore()
    #expect(!incomplete.isClean && incomplete.gaps == [.unlistedOutcomes])
    #expect(incomplete.unlisted == ["badge (String)"])
    let report = explorer(listing: true, version).explore()
    #expect(report.isClean == version.isMended, "\(report)")
    #expect(report.counterexamples.first?.steps.count == (version.isMended ? nil : 2))
  }
}
