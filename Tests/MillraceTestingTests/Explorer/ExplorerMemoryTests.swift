import Millrace
import MillraceTesting
import Testing

/// Putting back what was decided before reaches what deciding it anew reaches.
@Suite struct ExplorerMemoryTests {
  struct State: Hashable, Sendable {
    var mode = 0
    var side = Side()
  }

  struct Side: Hashable, Sendable {
    var mode = 0
  }

  struct Down: Error {}

  /// Requests that share identities, so that one replaces another under way.
  struct ModeEffect: EffectComponent {
    let asked: [Set<Int>]
    let replacement: RequestReplacement
    func id(of request: Int) -> Int { request / 10 }
    func requests(in state: State) -> Set<Int> { asked[state.mode] }
    func run(_ request: Int, send: Send<Int>) async throws(Down) {}
    func action(for failure: Down, of request: Int) -> Int { request % 7 }
  }

  struct SideEffect: EffectComponent {
    let asked: [Set<Int>]
    func requests(in side: Side) -> Set<Int> { asked[side.mode] }
    func run(_ request: Int, send: Send<Int>) async throws(Down) {}
    func action(for failure: Down, of request: Int) -> Int { request % 7 }
  }

  private func explorer(seed: UInt64) -> Explorer<State, Int> {
    var random = SeededRandom(seed: seed)
    func draw(_ bound: UInt64) -> Int { Int(random.next() % bound) }
    let count = 2 + draw(3)
    // One request of each of two identities, with one of two values.
    let asked = (0..<count).map { _ in Set((0..<2).compactMap { draw(3) == 0 ? nil : $0 * 10 + draw(2) }) }
    let sideAsked = (0..<count).map { _ in Set((0..<2).filter { _ in draw(2) == 0 }) }
    let next = (0..<count).map { _ in
      (0..<7).map { _ in (mode: draw(UInt64(count)), side: draw(UInt64(count))) }
    }
    let replacement: RequestReplacement = [.restart, .ignore][draw(2)]
    let explorer = Explorer(
      initialState: State(),
      reduce: { (state: inout State, action: Int) in
        let (mode, side) = next[state.mode][action]
        if action % 2 == 0 { state.mode = mode } else { state.side.mode = side }
      },
      connect: { store in
        store.connect(ModeEffect(asked: asked, replacement: replacement), named: "mode")
        store.connect(SideEffect(asked: sideAsked), to: \.side, named: "side")
      }
    )
    .userActions { _ in [0, 1] }
    .outcomes(of: Int.self) { request in
      [.answers(2 + request % 3, 3), .sends(request % 5), .fails(Down())]
    }
    return seed.isMultiple(of: 3) ? explorer.crashes() : explorer
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func rememberedDecisionsReachTheSame(seed: UInt64) {
    let remembering = explorer(seed: seed)
    var deciding = remembering
    deciding.remembersDecisions = false
    let (found, expected) = (remembering.explore(), deciding.explore())
    #expect(found.isClean && expected.isClean, "\(found)\n\(expected)")
    #expect(found.counts == expected.counts)
  }
}
