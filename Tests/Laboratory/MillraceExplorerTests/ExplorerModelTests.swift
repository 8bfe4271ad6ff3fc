import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// What the explorer reaches, compared with a model written by hand, on features drawn at random.
@Suite struct ExplorerModelTests {
  /// A machine of a few numbered modes. In each it asks for some requests, and each event leads to another mode.
  struct Feature: Sendable {
    let asked: [Set<Int>]
    let next: [[Int]]

    init(seed: UInt64) {
      var random = SeededRandom(seed: seed)
      let modes = 2 + Int(random.next() % 5)
      asked = (0..<modes).map { _ in Set((0..<3).filter { _ in random.next() % 3 == 0 }) }
      // Events: two of the user's, then an answer and a failure of each request.
      next = (0..<modes).map { _ in (0..<8).map { _ in Int(random.next() % UInt64(modes)) } }
    }
  }

  struct Down: Error {}

  /// What is explored: the mode, and of its requests those that have finished.
  struct Node: Hashable {
    let mode: Int
    let finished: Set<Int>
  }

  private static func reachable(_ feature: Feature, crashes: Bool) -> [Node: Int] {
    var depths = [Node(mode: 0, finished: []): 0]
    var line = [Node(mode: 0, finished: [])]
    while !line.isEmpty {
      let node = line.removeFirst()
      let depth = depths[node]! + 1
      func reach(_ mode: Int, _ finished: Set<Int>) {
        let other = Node(mode: mode, finished: finished.intersection(feature.asked[mode]))
        if depths[other] == nil {
          depths[other] = depth
          line.append(other)
        }
      }
      for event in 0..<2 { reach(feature.next[node.mode][event], node.finished) }
      for request in feature.asked[node.mode].subtracting(node.finished) {
        for event in [2 + request, 5 + request] {
          // Answered: the action is reduced while the run goes on, and is stopped where its request leaves.
          let mode = feature.next[node.mode][event]
          reach(mode, node.finished.union([request]))
        }
      }
      if crashes { reach(node.mode, []) }
    }
    return depths
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func theExplorerReachesWhatTheModelReaches(seed: UInt64) {
    let feature = Feature(seed: seed)
    let crashes = seed.isMultiple(of: 3)
    let reduce: Reducer<Int, Int> = { mode, event in mode = feature.next[mode][event] }
    var explorer = Explorer(initialState: 0, reduce: reduce) { store in
      let asked = { @Sendable (mode: Int) in feature.asked[mode] }
      store.connect(when: asked, failure: { (_: Down, request) in 5 + request }) { _, _ throws(Down) in }
    }
    .userActions { _ in [0, 1] }
    .outcomes(of: Int.self) { request in [.answers(2 + request), .fails(Down())] }
    .allowing(.unusedOutcomes, .nothingToCheck)
    if crashes { explorer = explorer.crashes() }
    let model = Self.reachable(feature, crashes: crashes)
    let report = explorer.explore()
    #expect(report.isClean)
    #expect(report.counts.states == model.count)
    #expect(report.counts.depth == model.values.max())
    // Every mode is found by a way as short as the model's.
    for mode in Set(model.keys.map(\.mode)) {
      let nearest = model.filter { $0.key.mode == mode }.values.min()
      let found = explorer.never("this mode") { $0 == mode }.explore().counterexamples.first
      #expect(found?.steps.count == nearest)
    }
  }
}
