/// The moves between explored states, for properties of paths and cycles. Pure.
struct ReachedEdges {
  struct Edge {
    let from: Int32
    let to: Int32
    let move: Int32
  }

  private(set) var edges: ContiguousArray<Edge> = []
  /// The open states: a move from them was not made, or leads to a state that was not kept.
  private var open: ContiguousArray<Int32> = []

  /// Adds a move from one state to another; the initial state is added as one from -1.
  mutating func add(from: Int, to: Int, by move: Int) {
    if from >= 0 {
      edges.append(Edge(from: Int32(from), to: Int32(to), move: Int32(truncatingIfNeeded: move)))
    }
  }

  /// Marks a state as open.
  mutating func leadsBeyond(_ state: Int) { open.append(Int32(state)) }

  /// Sorts the states into those that reach a goal, those that reach an open state, and those that reach neither.
  ///
  /// - Parameter rests: whether nothing comes by itself in a state.
  /// - Returns: `stuck`, a state that reaches neither a goal nor an open state, `nil` if there is none. It is the first
  ///   state that rests in a set that no move leaves, since the mistake was made on the way there; if none rests, the
  ///   first state of such a set. And `undecided`, the number of states that reach an open state but no goal.
  func ways(
    of count: Int, isGoal: (Int) -> Bool, rests: (Int) -> Bool
  ) -> (stuck: Int?, undecided: Int) {
    var reaches = ContiguousArray(repeating: false, count: count)
    let origins = Adjacency(edges, of: count, at: \.to)
    /// Marks the states that reach one of `states`, and returns how many were marked.
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
      while let state = line.popLast() {
        for edge in origins[state] { reach(Int(edge.from)) }
      }
      return found
    }
    _ = goBack(from: (0..<count).lazy.filter(isGoal))
    let undecided = goBack(from: open.lazy.map { Int($0) })
    guard reaches.contains(false) else { return (nil, undecided) }
    let moves = Adjacency(edges.filter { !reaches[Int($0.from)] }, of: count, at: \.from)
    let ends = moves.stronglyConnected(among: (0..<count).lazy.filter { !reaches[$0] }).filter { members in
      let set = Set(members)
      return members.allSatisfy { moves[$0].allSatisfy { set.contains(Int($0.to)) } }
    }
    return (ends.joined().filter(rests).min() ?? ends.joined().min(), undecided)
  }

  /// The number of open states that are not goals.
  func openCount(besides isGoal: (Int) -> Bool) -> Int { Set(open).count { !isGoal(Int($0)) } }
}

/// The edges at each state, one after the other.
struct Adjacency {
  private var starts: ContiguousArray<Int32>
  private var edges: ContiguousArray<ReachedEdges.Edge>

  /// - Parameter end: the end of an edge at which it is listed.
  init(
    _ unsorted: ContiguousArray<ReachedEdges.Edge>, of count: Int, at end: KeyPath<ReachedEdges.Edge, Int32>
  ) {
    starts = ContiguousArray(repeating: 0, count: count + 1)
    for edge in unsorted { starts[Int(edge[keyPath: end]) + 1] += 1 }
    for state in 0..<count { starts[state + 1] += starts[state] }
    var places = starts
    edges = unsorted
    for edge in unsorted {
      let state = Int(edge[keyPath: end])
      edges[Int(places[state])] = edge
      places[state] += 1
    }
  }

  subscript(state: Int) -> ArraySlice<ReachedEdges.Edge> {
    edges[Int(starts[state])..<Int(starts[state + 1])]
  }

  /// The number of states.
  var count: Int { starts.count - 1 }

  /// Tarjan's algorithm without recursion, since a path may be as long as the number of states.
  ///
  /// - Parameter roots: the states to start from.
  /// - Returns: the sets of states that reach each other. Each set comes after those that it reaches.
  func stronglyConnected(among roots: some Sequence<Int>) -> [[Int]] {
    var (index, low) = (Array(repeating: -1, count: count), Array(repeating: 0, count: count))
    var isOnStack = Array(repeating: false, count: count)
    var (stack, found, next): ([Int], [[Int]], Int) = ([], [], 0)
    for root in roots where index[root] < 0 {
      var calls: [(state: Int, edge: Int)] = [(root, 0)]
      while let (state, edge) = calls.last {
        if edge == 0 {
          (index[state], low[state]) = (next, next)
          next += 1
          stack.append(state)
          isOnStack[state] = true
        }
        if let edge = self[state].dropFirst(edge).first {
          calls[calls.count - 1].edge += 1
          let target = Int(edge.to)
          if index[target] < 0 {
            calls.append((target, 0))
          } else if isOnStack[target] {
            low[state] = min(low[state], index[target])
          }
          continue
        }
        calls.removeLast()
        if let caller = calls.last?.state { low[caller] = min(low[caller], low[state]) }
        if low[state] != index[state] { continue }
        var members: [Int] = []
        repeat {
          members.append(stack.removeLast())
          isOnStack[members[members.count - 1]] = false
        } while members.last != state
        found.append(members)
      }
    }
    return found
  }
}
