import Millrace
import MillraceTesting

/// Takes random walks until one violates a property, and leaves out as many of its moves as possible.
struct RandomWalks<State: Sendable, Action: Sendable> {
  private typealias Place = Exploration<State, Action>.Place

  /// The moves up to a violation.
  struct Finding {
    /// The index of the property.
    let property: Int
    /// The index of each move among the moves legal at its moment.
    var path: [Int]
    /// The moves in words, by which they are found again at other moments.
    fileprivate var words: [String]
  }

  private let exploration: Exploration<State, Action>
  private let properties: [ExploredProperty<State>]
  private var random: SeededRandom
  private(set) var moveCount = 0
  private(set) var walkCount = 0
  private(set) var depth = 0
  private(set) var wasCancelled = false
  private let trail = Trail()

  init(_ exploration: Exploration<State, Action>, seed: UInt64) {
    self.exploration = exploration
    properties = exploration.explorer.properties
    random = SeededRandom(seed: seed)
  }

  /// Takes up to a number of walks.
  mutating func find(walks: Int, depth limit: Int) -> Finding? {
    let explorer = exploration.explorer
    let story = { explorer.storyToTrap(by: $0, move: $1) }
    var found: Finding?
    TrapWatch.watch(trail, telling: story) { found = search(walks, limit) }
    return found
  }

  private mutating func search(_ walks: Int, _ limit: Int) -> Finding? {
    if let property = violated(at: exploration.start) {
      return Finding(property: property, path: [], words: [])
    }
    for _ in 0..<walks {
      if Task.isCancelled {
        wasCancelled = true
        return nil
      }
      walkCount += 1
      if let found = walk(limit) {
        return shortened(found, \.words) { again($0, for: found.property) }
      }
    }
    return nil
  }

  private mutating func walk(_ limit: Int) -> Finding? {
    var place = exploration.start
    var path: [Int] = []
    var words: [String] = []
    trail.begin()
    while path.count < limit {
      let moves = exploration.moves(from: place)
      if moves.count == 0 { return nil }
      // Does not use the standard library's `random(in:)`, which may change with its version.
      let index = Int(random.next() % UInt64(moves.count))
      path.append(index)
      words.append(moves.words(index))
      trail.move = Int32(truncatingIfNeeded: index)
      place = exploration.place(after: index, of: moves, from: place)
      trail.reachedNext()
      moveCount += 1
      depth = max(depth, path.count)
      if let property = violated(at: place) { return Finding(property: property, path: path, words: words) }
    }
    return nil
  }

  private func violated(at place: Place) -> Int? {
    properties.firstIndex { $0.isViolated(by: place.state, place.configuration.running) }
  }

  // MARK: Shrinking

  /// Makes these moves from the start, skipping those that are not legal when their turn comes.
  ///
  /// - Returns: the moves up to the violation; `nil` if there is none.
  private mutating func again(_ words: [String], for property: Int) -> Finding? {
    var place = exploration.start
    var found = Finding(property: property, path: [], words: [])
    trail.begin()
    for word in words {
      let moves = exploration.moves(from: place)
      guard let index = (0..<moves.count).first(where: { moves.words($0) == word }) else { continue }
      found.path.append(index)
      found.words.append(word)
      trail.move = Int32(truncatingIfNeeded: index)
      place = exploration.place(after: index, of: moves, from: place)
      trail.reachedNext()
      moveCount += 1
      if properties[property].isViolated(by: place.state, place.configuration.running) { return found }
    }
    return nil
  }
}

extension Moves {
  /// A move in words.
  fileprivate func words(_ index: Int) -> String { StepText.text(of: step(index)) }
}
