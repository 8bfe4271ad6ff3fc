import Millrace
import MillraceEffects
import Testing

@testable import MillraceTesting

/// Moves of different parts are explored in one order.
@Suite struct ExplorerPartTests {
  @Test func twoFeaturesSaveHalfOfTheMoves() {
    let (plain, divided) = (Loaders.explorer(), Loaders.explorer().divided)
    let report = divided.explore()
    #expect(report.isClean, "\(report)")
    #expect(Depths(of: divided).difference(from: Depths(of: plain)) == [])
    #expect("\(plain.explore())" == "Explored 324 states by 2160 moves, 10 deep: all there are.")
    #expect(
      "\(report)"
        == "Explored 324 states by 1158 moves, 10 deep; parts save 1002 moves, a factor of 1.9: all there are."
    )
  }

  @Test func threeFeaturesSaveMore() {
    let sides: [@Sendable (Loaders.Step) -> Loaders.Action] = [
      Loaders.Action.left, Loaders.Action.middle, Loaders.Action.right,
    ]
    let (plain, divided) = (
      Loaders.explorer(sides, asking: [1]), Loaders.explorer(sides, asking: [1]).divided
    )
    let report = divided.explore()
    #expect(report.isClean, "\(report)")
    #expect(Depths(of: divided).difference(from: Depths(of: plain)) == [])
    #expect("\(plain.explore())" == "Explored 512 states by 3072 moves, 15 deep: all there are.")
    #expect(
      "\(report)"
        == "Explored 512 states by 1190 moves, 15 deep; parts save 1882 moves, a factor of 2.6: all there are."
    )
  }

  @Test func aCounterexampleThatNeedsBothPartsIsAsShort() throws {
    let explorer = Loaders.explorer().never("both broken") { $0.left.isBroken && $0.right.isBroken }
    let expected = try #require(explorer.explore().counterexamples.first)
    let found = try #require(explorer.divided.explore().counterexamples.first)
    #expect(found.steps.count == 4 && expected.steps.count == 4)
    #expect(found.states.last == expected.states.last)
  }

  @Test func whatIsStuckInBothPartsIsFound() throws {
    // A loader that is broken takes no question any more.
    let explorer = Loaders.explorer(reduce: { state, action in
      switch action {
      case .left(.ask) where state.left.isBroken, .right(.ask) where state.right.isBroken: break
      default: Loaders.reduce(&state, action)
      }
    })
    .eventually("one shows 2") { $0.left.shown == 2 || $0.right.shown == 2 }
    let expected = try #require(explorer.explore().counterexamples.first)
    let found = try #require(explorer.divided.explore().counterexamples.first)
    #expect(found.steps.count == 4 && expected.steps.count == 4)
    let healing = Loaders.explorer().divided
      .eventually("both show 2") { $0.left.shown == 2 && $0.right.shown == 2 }
    #expect(healing.explore().isClean)
  }

  @Test func aRestartWakesAllMoves() {
    let plain = Loaders.explorer(asking: [1]).crashes { state in
      var state = state
      if state.left.isBroken { state.right.shown = 7 }
      return state
    }
    let report = plain.divided.explore()
    #expect(report.isClean && report.counts.skipped > 0, "\(report)")
    #expect(Depths(of: plain.divided).difference(from: Depths(of: plain)) == [])
  }

  @Test func anActionOfNoPartWakesAllMoves() {
    let plain = Loaders.explorer(asking: [1]).userActions { _ in [.swap] }
    let report = plain.divided.explore()
    #expect(report.isClean && report.counts.skipped > 0, "\(report)")
    #expect(Depths(of: plain.divided).difference(from: Depths(of: plain)) == [])
  }

  @Test func anAnswerForAnotherPartWakesAllMoves() {
    // What the left loader gets is for the right one.
    let plain = Loaders.explorer(
      asking: [1],
      connect: { store in
        store.connect(Loaders.LoadEffect(), to: \.left, action: Loaders.Action.right, named: "left")
        store.connect(Loaders.LoadEffect(), to: \.right, action: Loaders.Action.right, named: "right")
      }
    )
    .userActions { _ in [.left(.failed)] }
    let report = plain.divided.explore()
    #expect(report.isClean && report.counts.skipped > 0, "\(report)")
    #expect(Depths(of: plain.divided).difference(from: Depths(of: plain)) == [])
  }

  @Test func decisionsNeedNotBeRemembered() {
    var explorer = Loaders.explorer(asking: [1]).divided
    let expected = explorer.explore()
    explorer.remembersDecisions = false
    #expect(explorer.explore().counts == expected.counts)
  }

  @Test func timePassesForAllParts() {
    let plain = Explorer(initialState: Kitchen.State(), reduce: Kitchen.reduce, connect: Kitchen.connect)
      .userActions { state in
        (state.left.rung.isEmpty ? [.left(.start("tea", 3)), .left(.start("egg", 5))] : [])
          + (state.right.rung.isEmpty ? [.right(.start("tea", 3)), .right(.start("rice", 4))] : [])
      }
    let divided = plain.part(\.left) { if case .left = $0 { true } else { false } }
      .part(\.right) { if case .right = $0 { true } else { false } }
    let report = divided.explore()
    #expect(report.isClean && report.counts.skipped > 0, "\(report)")
    #expect(Depths(of: divided).difference(from: Depths(of: plain)) == [])
  }
}
