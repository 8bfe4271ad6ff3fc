import MillraceTesting

/// Takes random walks until one violates a property, and leaves out as many of its moves as possible.
struct RandomWalks<State: Sendable, Action: Sendable> {
  private typealias Place = Exploration<State, Action>.Place

  /// The moves up to a violation.
  struct Finding {
    /// The index of the property.
    let property: Int
    /// The index of each move among the moves legal at its moment.
    let path: [Int]
    /// The moves in words, by which they are found again at other moments.
    fileprivate let words: [String]
  }

  private let exploration: Exploration<State, Action>
  private var random: SeededRandom
  private(set) var counts = ExplorationReport<State, Action>.Counts()
  private(set) var bounds: [ExplorationReport<State, Action>.Bound] = []
  private let trail = Trail()

  init(_ exploration: Exploration<State, Action>, seed: UInt64) {
    self.exploration = exploration
    random = SeededRandom(seed: seed)
  }

  /// The moves of the last walk.
  private(set) var steps: [ExploredStep<Action>] = []

  /// Returns the first violation, shortened.
  mutating func find(walks: Int, depth limit: Int) -> Finding? {
    let explorer = exploration.explorer
    let story = { explorer.storyToTrap(by: $0, move: $1) }
    var found: Finding?
    TrapWatch.watch(trail, telling: story) { found = search(walks, limit) }
    return found
  }

  private mutating func search(_ walks: Int, _ limit: Int) -> Finding? {
    if let property = exploration.property(violatedAt: exploration.start) {
      return Finding(property: property, path: [], words: [])
    }
    for _ in 0..<walks {
      if Task.isCancelled {
        bounds = [.cancellation]
        return nil
      }
      counts.walks += 1
      if let found = walk(limit) {
        return shortened(found, \.words) { again($0, for: found.property) }
      }
    }
    return nil
  }

  /// Takes one walk of at most `limit` moves.
  mutating func walk(_ limit: Int) -> Finding? {
    var random = random
    defer { self.random = random }
    return go(to: nil) { [exploration] place, made in
      if made >= limit { return nil }
      let moves = exploration.moves(from: place)
      // Does not use the standard library's `random(in:)`, which may change with its version.
      return moves.count == 0 ? nil : (moves, Int(random.next() % UInt64(moves.count)))
    }
  }

  /// Makes these moves from the start, skipping those that are not legal when their turn comes.
  private mutating func again(_ words: [String], for property: Int) -> Finding? {
    var words = words[...]
    return go(to: property) { [exploration] place, _ in
      if words.isEmpty { return nil }
      let moves = exploration.moves(from: place)
      while let word = words.popFirst() {
        if let index = (0..<moves.count).first(where: { moves.words($0) == word }) { return (moves, index) }
      }
      return nil
    }
  }

  /// Makes moves from the start until one violates a property, or none is chosen.
  ///
  /// - Parameters:
  ///   - property: the index of the property to be violated; `nil` for any.
  ///   - choose: chooses the next of the moves that are legal at a moment, after a number of moves.
  /// - Returns: the moves up to the violation; `nil` if there is none.
  private mutating func go(
    to property: Int?, choosing choose: (Place, _ made: Int) -> (moves: Moves<Action>, index: Int)?
  ) -> Finding? {
    var place = exploration.start
    var (path, words): ([Int], [String]) = ([], [])
    trail.begin()
    steps = []
    while let (moves, index) = choose(place, path.count) {
      path.append(index)
      steps.append(moves.step(index))
      words.append(StepText.text(of: steps[steps.count - 1]))
      trail.move = Int32(truncatingIfNeeded: index)
      place = exploration.place(after: index, of: moves, from: place)
      trail.reachedNext()
      counts.moves += 1
      counts.depth = max(counts.depth, path.count)
      if let found = exploration.property(violatedAt: place, among: property) {
        return Finding(property: found, path: path, words: words)
      }
    }
    return nil
  }
}

extension Moves {
  /// A move in words.
  fileprivate func words(_ index: Int) -> String { StepText.text(of: step(index)) }
}
