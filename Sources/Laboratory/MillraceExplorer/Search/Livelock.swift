/// Finds a cycle in which a program runs for ever without reaching a property. Pure.
///
/// The cycle must be fair: each run that is in progress throughout acts in it, since a program keeps no run waiting for
/// ever. The search takes each set of states that all reach each other, and extends a cycle in it until the cycle is
/// fair or cannot become fair.
struct Livelock {
  private typealias Edge = ReachedEdges.Edge

  private let edges: Adjacency
  /// The runs in progress in a state.
  private let runs: (Int) -> Set<RunKey>
  /// The run that makes a move from a state.
  private let actor: (ReachedEdges.Edge) -> RunKey?

  /// - Parameters:
  ///   - edges: the moves without the user from states in which the property does not hold.
  init(
    _ edges: ContiguousArray<ReachedEdges.Edge>, of count: Int, runs: @escaping (Int) -> Set<RunKey>,
    actor: @escaping (ReachedEdges.Edge) -> RunKey?
  ) {
    self.edges = Adjacency(edges, of: count, at: \.from)
    (self.runs, self.actor) = (runs, actor)
  }

  /// The first state on a fair cycle, with the moves of that cycle.
  func find() -> (state: Int, moves: [Int])? {
    let components = edges.stronglyConnected(among: (0..<edges.count).filter { !edges[$0].isEmpty })
    for members in components.sorted(by: { $0.min() ?? 0 < $1.min() ?? 0 }) {
      guard let first = members.min(), let cycle = fairCycle(of: Set(members), from: first) else { continue }
      return (first, cycle)
    }
    return nil
  }

  private func fairCycle(of members: Set<Int>, from first: Int) -> [Int]? {
    let inner = members.sorted().flatMap { edges[$0].filter { members.contains(Int($0.to)) } }
    guard let any = inner.first else { return nil }
    var legs = [any]
    while true {
      let (moves, states, actors) = cycle(of: legs, from: first, within: members)
      let waiting = states.dropFirst().reduce(runs(states[0])) { $0.intersection(runs($1)) }
      // Sorted, since the order of a set varies from one process to the next.
      let slighted = waiting.subtracting(actors).min { ($0.effect, $0.request) < ($1.effect, $1.request) }
      guard let slighted else { return moves }
      if let leg = inner.first(where: { actor($0) == slighted }) {
        legs.append(leg)
      } else if let leg = inner.first(where: { !runs(Int($0.from)).contains(slighted) }) {
        legs.append(leg)  // the run is not in progress there
      } else {
        return nil
      }
    }
  }

  /// Makes a cycle that contains all of some moves: its moves, its states, and the runs that make the moves.
  private func cycle(
    of legs: [Edge], from first: Int, within members: Set<Int>
  ) -> (moves: [Int], states: [Int], actors: Set<RunKey>) {
    var (moves, states, actors): ([Int], [Int], Set<RunKey>) = ([], [first], [])
    func go(_ leg: Edge) {
      moves.append(Int(leg.move))
      states.append(Int(leg.to))
      if let actor = actor(leg) { actors.insert(actor) }
    }
    for leg in legs {
      for step in way(from: states[states.count - 1], to: Int(leg.from), within: members) { go(step) }
      go(leg)
    }
    for step in way(from: states[states.count - 1], to: first, within: members) { go(step) }
    return (moves, states, actors)
  }

  /// A shortest path within a set of states that all reach each other.
  private func way(from: Int, to: Int, within members: Set<Int>) -> [Edge] {
    var origins: [Int: Edge] = [:]
    var (line, next) = ([from], 0)
    while next < line.count, origins[to] == nil, from != to {
      let state = line[next]
      next += 1
      for edge in edges[state] {
        let target = Int(edge.to)
        if members.contains(target), target != from, origins[target] == nil {
          origins[target] = edge
          line.append(target)
        }
      }
    }
    var (legs, state): ([Edge], Int) = ([], to)
    while state != from, let leg = origins[state] {
      legs.append(leg)
      state = Int(leg.from)
    }
    return legs.reversed()
  }
}
