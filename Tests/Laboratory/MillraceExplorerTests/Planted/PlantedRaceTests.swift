import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// Bugs that show where answers come in another order than their requests.
@Suite struct PlantedRaceTests {
  /// A page that is read from a cache and from the network, by two connections with equal requests.
  enum Page {
    struct State: Hashable, Sendable {
      var text: String?
      var isFresh = false
    }

    enum Action: Hashable, Sendable {
      case cached(String)
      case arrived(String)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .cached(let text): if !isRight || !state.isFresh { state.text = text }
        case .arrived(let text): (state.text, state.isFresh) = (text, true)
        }
      } connect: { store in
        store.connect(when: { _ in Optional("page") }, named: "cache") { _, _ in }
        store.connect(when: { _ in Optional("page") }, named: "network") { _, _ in }
      }
      .outcomes(of: String.self, from: "cache") { _ in [.answers(.cached("old"))] }
      .outcomes(of: String.self, from: "network") { _ in [.answers(.arrived("new"))] }
      .never("an old page in place of a fresh one") { $0.isFresh && $0.text == "old" }
    }
  }

  @Test("race of two effects: a page of the cache replaces a fresh one", arguments: [false, true])
  func oldPage(isRight: Bool) async throws {
    let explorer = Page.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 2) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      if store.inProgress(named: "network").contains("page") { store.answer("page", named: "network", with: .arrived("new")) }
      if store.inProgress().contains("page") { store.answer("page", with: .cached("old")) }
      let holds: (PlantedRaceTests.Page.State) -> Bool = { $0.isFresh && $0.text == "old" }
      #expect(!holds(store.state))
      await store.finish()
    }
  }
}
