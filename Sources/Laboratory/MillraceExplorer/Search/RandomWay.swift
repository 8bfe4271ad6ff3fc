import Millrace
import MillraceTesting

extension Explorer {
  /// Goes a random way that does not end where a property is violated, as a program does not.
  ///
  /// - Parameter count: the number of moves; fewer if there is none to make any more.
  package func randomWay(seed: UInt64, moves count: Int) -> [ExploredStep<Action>] {
    let exploration = Exploration(self)
    var random = SeededRandom(seed: seed)
    var place = exploration.start
    var steps: [ExploredStep<Action>] = []
    while steps.count < count {
      let moves = exploration.moves(from: place)
      if moves.count == 0 { break }
      // Not by the standard library's `random(in:)`, which may change with its version.
      let index = Int(random.next() % UInt64(moves.count))
      steps.append(moves.step(index))
      place = exploration.place(after: index, of: moves, from: place)
    }
    return steps
  }
}
