// Tests whose process ends: Apple's mobile systems start no other.
#if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
import Millrace
import MillraceExplorer
import MillraceTesting
import TestSupport
import Testing

/// A trap in code of the feature's, with the story up to there on standard error.
@Suite struct ExplorerTrapTests {
  enum Trap: Sendable {
    case reducer
    case requests
    case selector
    case atFirst
  }

  /// Traps at 2, unless it does as it is connected.
  struct CountEffect: EffectComponent {
    let trap: Trap

    func requests(in count: Int) -> Set<String> {
      if trap == .requests { precondition(count < 2, "too many requests") }
      if trap == .atFirst { preconditionFailure("no requests at all") }
      return []
    }
    func run(_ request: String, send: Send<Int>) async {}
  }

  private static func explorer(_ trap: Trap) -> Explorer<Int, Int> {
    Explorer(
      initialState: 0,
      reduce: { count, step in
        if trap == .reducer { precondition(count + step < 2, "too many") }
        count += step
      },
      connect: { store in
        store.connect(CountEffect(trap: trap))
        let isLow = { @Sendable (count: Int) in
          if trap == .selector { precondition(count < 2, "too high") }
          return count < 5
        }
        store.connect(while: isLow) { _ in }
      }
    )
    .userActions { _ in [1] }
  }

  private func expectStory(_ result: ExitTest.Result?, _ message: String, line: UInt = #line) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(message), "\(output)")
    let story = """
      The exploration trapped here:

        at first: 0
        1. the user sends 1
             0 → 1
        2. the user sends 1
           TRAP
      """
    #expect(output.contains(story), "line \(line): \(output)")
  }

  @Test func aReducerThatTrapsTellsTheStory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.explorer(.reducer).explore(depth: 4)
    }
    expectStory(result, "too many")
  }

  @Test func requestsThatTrapTellTheStory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.explorer(.requests).explore(depth: 4)
    }
    expectStory(result, "too many requests")
  }

  @Test func aSelectorThatTrapsTellsTheStory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.explorer(.selector).explore(depth: 4)
    }
    expectStory(result, "too high")
  }

  @Test func aRandomWayThatTrapsTellsTheStory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.explorer(.reducer).walk(seed: 1)
    }
    expectStory(result, "too many")
  }

  @Test func aTrapBeforeTheFirstMoveIsTold() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.explorer(.atFirst).explore()
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("The exploration trapped when the feature was connected to 0"), "\(output)")
  }

  /// A trap elsewhere, after an exploration, tells nothing of it.
  @Test func aTrapOutsideOfAnExplorationTellsNoStory() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.explorer(.reducer).explore(depth: 1)
      preconditionFailure("elsewhere")
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("elsewhere") && !output.contains("The exploration trapped"), "\(output)")
  }
}
#endif
