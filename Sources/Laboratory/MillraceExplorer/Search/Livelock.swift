/// Finds a cycle in which a program runs for ever without reaching a property. Pure.
///
/// The cycle must be fair: each run that is in progress throughout acts in it, since a program keeps no run waiting for
/// ever. The search takes each set of states that all reach each other, and extends a cycle in it until the cycle is
/// fair or cannot become fair.
struct Livelock {
  private let count: Int
  private let edges: Adjacency
  /// The runs in progress in a state.
  private let runs: (Int) -> Set<RunKey>
  /// The run that makes a move from a state.
  private let actor: (_ state: Int, _ move: Int) -> RunKey?

  /// - Parameters:
  ///   - edges: the moves without the user from states in which the property does not hold.
  init(
    _ edges: ContiguousArray<ReachedEdges.Edge>, of count: Int, runs: @escaping (Int) -> Set<RunKey>,
    actor: @escaping (_ state: Int, _ move: Int) -> RunKey?
  ) {
    self.count = count
    self.edges = Adjacency(edges, of: count, from: \.from, to: \.to)
    (self.runs, self.actor) = (runs, actor)
  }

  /// The first state on a fair cycle, with the moves of that cycle.
  func find() -> (state: Int, moves: [Int])? {
    let components = edges.stronglyConnected(among: (0..<count).filter { edges.count(of: $0) > 0 })
    for members in components.sorted(by: { $0.min() ?? 0 < $1.min() ?? 0 }) {
      guard let first = members.min(), let cycle = fairCycle(of: Set(members), from: first) else { continue }
      return (first, cycle)
    }
    return nil
  }

  private func fairCycle(of members: Set<Int>, from first: Int) -> [Int]? {
    var inner: [Leg] = []
    for state in members.sorted() {
      edges.forEach(of: state) { target, move in
        if members.contains(target) { inner.append(Leg(from: state, move: move, to: target)) }
      }
    }
    guard let any = inner.first else { return nil }
    var legs = [any]
    while true {
      let (moves, states, actors) = cycle(of: legs, from: first, within: members)
      let waiting = states.dropFirst().reduce(runs(states[0])) { $0.intersection(runs($1)) }
      // Sorted, since the order of a set varies from one process to the next.
      let slighted = waiting.subtracting(actors).min { ($0.effect, $0.request) < ($1.effect, $1.request) }
      guard let slighted else { return moves }
      if let leg = inner.first(where: { actor($0.from, $0.move) == slighted }) {
        legs.append(leg)
      } else if let leg = inner.first(where: { !runs($0.from).contains(slighted) }) {
        legs.append(leg)  // the run is not in progress there
      } else {
        return nil
      }
    }
  }

  /// A move between two states of a set.
  private struct Leg {
    let from: Int
    let move: Int
    let to: Int
  }

  /// Makes a cycle that contains all of some moves: its moves, its states, and the runs that make the moves.
  private func cycle(
    of legs: [Leg], from first: Int, within members: Set<Int>
  ) -> (moves: [Int], states: [Int], actors: Set<RunKey>) {
    var (moves, states, actors): ([Int], [Int], Set<RunKey>) = ([], [first], [])
    func go(_ leg: Leg) {
      moves.append(leg.move)
      states.append(leg.to)
      if let actor = actor(leg.from, leg.move) { actors.insert(actor) }
    }
    for leg in legs {
      for step in way(from: states[states.count - 1], to: leg.from, within: members) { go(step) }
      go(leg)
    }
    for step in way(from: states[states.count - 1], to: first, within: members) { go(step) }
    return (moves, states, actors)
  }

  /// A shortest path within a set of states that all reach each other.
  private func way(from: Int, to: Int, within members: Set<Int>) -> [Leg] {
    var origins: [Int: Leg] = [:]
    var (line, next) = ([from], 0)
    while next < line.count, origins[to] == nil, from != to {
      let state = line[next]
      next += 1
      edges.forEach(of: state) { target, move in
        if members.contains(target), target != from, origins[target] == nil {
          origins[target] = Leg(from: state, move: move, to: target)
          line.append(target)
        }
      }
    }
    var (legs, state): ([Leg], Int) = ([], to)
    while state != from, let leg = origins[state] {
      legs.append(leg)
      state = leg.from
    }
    return legs.reversed()
  }
}
