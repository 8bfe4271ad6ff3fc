/// The moves between explored states, for properties of ways and of cycles. Pure.
struct ReachedEdges {
  struct Edge {
    let from: Int32
    let to: Int32
    let move: Int32
  }

  private(set) var edges: ContiguousArray<Edge> = []
  /// The open states: a move from them was not made, or leads to a state that was not kept.
  private var open: ContiguousArray<Int32> = []

  /// A move led from one state to another; from -1 at the beginning.
  mutating func add(from: Int, to: Int, by move: Int) {
    if from >= 0 {
      edges.append(Edge(from: Int32(from), to: Int32(to), move: Int32(truncatingIfNeeded: move)))
    }
  }

  /// Not all moves from the state are known.
  mutating func leadsBeyond(_ state: Int) { open.append(Int32(state)) }

  /// Sorts the states by the known ways from them.
  ///
  /// - Returns: `firstStuck`, the first state that reaches neither a goal nor an open state; and `undecided`, the number of
  ///   states that reach an open state and no goal.
  func ways(of count: Int, isGoal: (Int) -> Bool) -> (firstStuck: Int?, undecided: Int) {
    var reaches = ContiguousArray(repeating: false, count: count)
    let origins = Adjacency(edges, of: count, from: \.to, to: \.from)
    /// Marks the states that reach one of `states`, and returns how many it has marked.
    func goBack(from states: some Sequence<Int>) -> Int {
      var line: ContiguousArray<Int> = []
      var found = 0
      func reach(_ state: Int) {
        if reaches[state] { return }
        reaches[state] = true
        found += 1
        line.append(state)
      }
      for state in states { reach(state) }
      while let state = line.popLast() { origins.forEach(of: state) { origin, _ in reach(origin) } }
      return found
    }
    _ = goBack(from: (0..<count).lazy.filter(isGoal))
    let undecided = goBack(from: open.lazy.map { Int($0) })
    return (reaches.firstIndex(of: false), undecided)
  }

  /// The number of open states that are not goals.
  func openCount(besides isGoal: (Int) -> Bool) -> Int { Set(open).count { !isGoal(Int($0)) } }
}

/// The edges at each state, one after the other.
struct Adjacency {
  private var starts: ContiguousArray<Int32>
  private var targets: ContiguousArray<(state: Int32, move: Int32)>

  init(
    _ edges: ContiguousArray<ReachedEdges.Edge>, of count: Int, from: KeyPath<ReachedEdges.Edge, Int32>,
    to: KeyPath<ReachedEdges.Edge, Int32>
  ) {
    starts = ContiguousArray(repeating: 0, count: count + 1)
    for edge in edges { starts[Int(edge[keyPath: from]) + 1] += 1 }
    for state in 0..<count { starts[state + 1] += starts[state] }
    var ends = starts
    targets = ContiguousArray(repeating: (0, 0), count: edges.count)
    for edge in edges {
      targets[Int(ends[Int(edge[keyPath: from])])] = (edge[keyPath: to], edge.move)
      ends[Int(edge[keyPath: from])] += 1
    }
  }

  func forEach(of state: Int, _ body: (_ state: Int, _ move: Int) -> Void) {
    for index in Int(starts[state])..<Int(starts[state + 1]) {
      body(Int(targets[index].state), Int(targets[index].move))
    }
  }

  func count(of state: Int) -> Int { Int(starts[state + 1] - starts[state]) }

  func edge(_ index: Int, of state: Int) -> (state: Int, move: Int) {
    let found = targets[Int(starts[state]) + index]
    return (Int(found.state), Int(found.move))
  }
}
