/// Finds a cycle in which a program goes on for ever without what is sought. Pure.
///
/// The cycle must be fair: a run that is in progress all along acts in it, and a run that only others keep from acting is
/// no proof of anything. So what counts is a set of states that all reach each other, in which every run that is in
/// progress in all of them makes a move.
struct Livelock {
  private let count: Int
  private let edges: Adjacency
  /// The runs in progress in a state.
  private let runs: (Int) -> Set<RunKey>
  /// The run that makes a move from a state.
  private let actor: (_ state: Int, _ move: Int) -> RunKey?

  /// - Parameters:
  ///   - edges: the moves that come by themselves between states in which nothing holds that is sought.
  init(
    _ edges: ContiguousArray<ReachedEdges.Edge>, of count: Int, runs: @escaping (Int) -> Set<RunKey>,
    actor: @escaping (_ state: Int, _ move: Int) -> RunKey?
  ) {
    self.count = count
    self.edges = Adjacency(edges, of: count, from: \.from, to: \.to)
    (self.runs, self.actor) = (runs, actor)
  }

  /// The first state that is in such a set, with the moves of a cycle through it in which each of the runs acts.
  func find() -> (state: Int, moves: [Int])? {
    let components = stronglyConnected()
    for members in components.sorted(by: { $0.min() ?? 0 < $1.min() ?? 0 }) {
      guard let first = members.min(), let cycle = fairCycle(of: Set(members), from: first) else { continue }
      return (first, cycle)
    }
    return nil
  }

  /// Tarjan's algorithm without recursion, since a way may be as long as there are states.
  private func stronglyConnected() -> [[Int]] {
    var (index, low) = (Array(repeating: -1, count: count), Array(repeating: 0, count: count))
    var isOnStack = Array(repeating: false, count: count)
    var (stack, found, next): ([Int], [[Int]], Int) = ([], [], 0)
    for root in 0..<count where index[root] < 0 && edges.count(of: root) > 0 {
      var calls: [(state: Int, edge: Int)] = [(root, 0)]
      while let (state, edge) = calls.last {
        if edge == 0 {
          (index[state], low[state]) = (next, next)
          next += 1
          stack.append(state)
          isOnStack[state] = true
        }
        if edge < edges.count(of: state) {
          calls[calls.count - 1].edge += 1
          let target = edges.edge(edge, of: state).state
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

  private func fairCycle(of members: Set<Int>, from first: Int) -> [Int]? {
    var inner: [(from: Int, to: Int, move: Int)] = []
    for state in members {
      edges.forEach(of: state) { if members.contains($0) { inner.append((state, $0, $1)) } }
    }
    if inner.isEmpty { return nil }
    let always = members.dropFirst().reduce(runs(members[members.startIndex])) { $0.intersection(runs($1)) }
    var legs: [(from: Int, to: Int, move: Int)] = []
    for run in always {
      guard let leg = inner.first(where: { actor($0.from, $0.move) == run }) else { return nil }
      legs.append(leg)
    }
    if legs.isEmpty { legs = [inner[0]] }
    var (state, moves): (Int, [Int]) = (first, [])
    for leg in legs {
      moves += way(from: state, to: leg.from, within: members) + [leg.move]
      state = leg.to
    }
    return moves + way(from: state, to: first, within: members)
  }

  /// The moves of a shortest way within a set of states that all reach each other.
  private func way(from: Int, to: Int, within members: Set<Int>) -> [Int] {
    var origins: [Int: (state: Int, move: Int)] = [:]
    var (line, next) = ([from], 0)
    while next < line.count, origins[to] == nil, from != to {
      let state = line[next]
      next += 1
      edges.forEach(of: state) { target, move in
        if members.contains(target), target != from, origins[target] == nil {
          origins[target] = (state, move)
          line.append(target)
        }
      }
    }
    var (moves, state): ([Int], Int) = ([], to)
    while state != from, let origin = origins[state] {
      moves.insert(origin.move, at: 0)
      state = origin.state
    }
    return moves
  }
}
