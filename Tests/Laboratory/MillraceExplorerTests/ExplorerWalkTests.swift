import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// Random ways, with seeds and shrinking.
@Suite struct ExplorerWalkTests {
  private let explorer = Explorer(
    initialState: Search.State(), reduce: Search.forgetfulReduce, connect: Search.connect
  )
  .userActions { _ in "abcdefgh".map { .queryChanged(String($0)) } + [.queryChanged("")] }
  .outcomes(of: String.self) { query in
    [.answers(.arrived([query])), .answers(.arrived([])), .fails(Search.Offline())]
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func aViolationIsFoundAndShortened(seed: UInt64) throws {
    let report = explorer.always("no spinner without a request") { state, running in
      !state.isLoading || !running.isEmpty
    }
    .walk(seed: seed)
    let found = try #require(report.counterexamples.first)
    #expect(found.steps.count == 2, "\(report)")
  }

  @Test(arguments: [0, -1]) func aWalkOfNoMovesMakesNone(depth: Int) {
    let report = explorer.never("a query") { !$0.query.isEmpty }.walk(seed: 1, walks: 2, depth: depth)
    #expect(report.counts.moves == 0 && report.counterexamples.isEmpty, "\(report)")
    #expect(explorer.randomWay(seed: 1, moves: depth).isEmpty)
  }

  @Test func aLongWayIsShortenedToWhatItNeeds() throws {
    let report = explorer.never("two results of h") { state in state.results == ["h"] && state.query == "g" }
      .walk(seed: 3)
    let found = try #require(report.counterexamples.first)
    // Asked for h, got h, changed to g.
    #expect(found.steps.count == 3, "\(report)")
  }

  /// A move that only another move needs is left out once that is left out.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func movesAreLeftOutUntilEachIsNeeded(seed: UInt64) {
    let report = Explorer(
      initialState: [false, false, false],
      reduce: { (state: inout [Bool], action: String) in
        switch action {
        case "guard": state[0] = true
        case "shake": if !state[0] { state[1] = true }
        default: if !state[1] { state[2] = true }
        }
      }
    )
    .userActions { _ in ["guard", "shake", "go"] }.never("gone") { $0[2] }.walk(seed: seed)
    #expect(report.counterexamples.first?.steps.count == 1, "\(report)")
  }

  @Test func oneSeedGoesOneWay() {
    let explorer = explorer.never("an answer") { !$0.results.isEmpty }
    #expect("\(explorer.walk(seed: 5))" == "\(explorer.walk(seed: 5))")
    #expect(explorer.walk(seed: 5).counts.moves == explorer.walk(seed: 5).counts.moves)
    let moves = Set((1...10).map { explorer.walk(seed: $0).counts.moves })
    #expect(moves.count > 1)
  }

  @Test func nothingFoundIsSaid() {
    let report = explorer.never("a long query") { $0.query.count > 1 }.walk(seed: 1, walks: 7, depth: 9)
    #expect(report.isClean)
    #expect("\(report)" == "Went 7 random ways, 63 moves, 9 deep.")
  }
}
