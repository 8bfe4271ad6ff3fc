import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// Two kettles that one function connects, and their timers.
enum Kitchen {
  typealias Kettle = ExplorerTimeTests.Kettle

  struct State: Hashable, Sendable {
    var left = Kettle.State()
    var right = Kettle.State()
  }

  enum Action: Equatable, Sendable {
    case left(Kettle.Action)
    case right(Kettle.Action)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .left(let action): Kettle.reduce(&state.left, action)
    case .right(let action): Kettle.reduce(&state.right, action)
    }
  }

  static func connect(to store: Store<State, Action>) {
    Kettle.connect(to: store.scope(\.left, action: Action.left))
    Kettle.connect(to: store.scope(\.right, action: Action.right))
  }
}

/// What one function connects in two places is two things.
@Suite struct ExplorerPlaceTests {
  @Test func equalTimersOfTwoScopesRunOnTheirOwn() {
    let report = Explorer(initialState: Kitchen.State(), reduce: Kitchen.reduce, connect: Kitchen.connect)
      .userActions { state in
        if state == Kitchen.State() { return [.left(.start("egg", 2))] }
        if state.left.rung.isEmpty { return [.left(.start("tea", 3))] }
        return state.left.rung == ["egg"] && !state.left.timers.isEmpty ? [.right(.start("tea", 3))] : []
      }
      // The right one begins when the left one has a second to go.
      .never("the right one before the left one") { !$0.right.rung.isEmpty && $0.left.rung == ["egg"] }
      .explore()
    #expect(report.isClean, "\(report)")
  }
}
