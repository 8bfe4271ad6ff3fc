extension Explorer {
  /// Takes a random walk that continues after a violation of a property, as a program does.
  ///
  /// - Parameter count: the number of moves; the walk ends earlier if no move is legal.
  package func randomWay(seed: UInt64, moves count: Int) -> [ExploredStep<Action>] {
    let exploration = Exploration(changed { $0.properties = [] })
    var search = RandomWalks(exploration, seed: seed)
    _ = search.walk(count)
    return exploration.way(by: search.lastPath).steps
  }
}
