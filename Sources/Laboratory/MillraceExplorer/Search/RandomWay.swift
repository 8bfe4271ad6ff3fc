import Millrace
import MillraceTesting

extension Explorer {
  /// Takes a random walk that continues after a violation of a property, as a program does.
  ///
  /// - Parameter count: the number of moves; the walk ends earlier if no move is legal.
  package func randomWay(seed: UInt64, moves count: Int) -> [ExploredStep<Action>] {
    let exploration = Exploration(self)
    var random = SeededRandom(seed: seed)
    var place = exploration.start
    var steps: [ExploredStep<Action>] = []
    while steps.count < count {
      let moves = exploration.moves(from: place)
      if moves.count == 0 { break }
      // Does not use the standard library's `random(in:)`, which may change with its version.
      let index = Int(random.next() % UInt64(moves.count))
      steps.append(moves.step(index))
      place = exploration.place(after: index, of: moves, from: place)
    }
    return steps
  }
}
