extension Explorer {
  /// Takes a random walk that continues after a violation of a property, as a program does.
  ///
  /// - Parameter count: the number of moves; the walk ends earlier if no move is legal.
  package func randomWay(seed: UInt64, moves count: Int) -> [ExploredStep<Action>] {
    var search = RandomWalks(Exploration(changed { $0.properties = [] }), seed: seed)
    _ = search.walk(count)
    return search.steps
  }
}
