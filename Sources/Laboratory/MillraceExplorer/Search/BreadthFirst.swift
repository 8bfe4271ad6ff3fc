/// Explores breadth first, so that the first path to a state is a shortest one.
struct BreadthFirst<State: Sendable, Action: Sendable> {
  private let exploration: Exploration<State, Action>
  private let (depthLimit, stateLimit): (Int, Int)
  private let time: Duration?
  private let identity: StateIdentity<State>
  private let properties: [ExploredProperty<State>]

  private var table = StateTable()
  private var states: ContiguousArray<State> = []
  /// The number of the configuration of each state.
  private var configurations: ContiguousArray<Int32> = []
  private let trail = Trail()
  private var edges: ReachedEdges?
  private let deadline: ContinuousClock.Instant?
  private let progress: ExplorationProgress

  private(set) var counts = ExplorationReport<State, Action>.Counts()
  private(set) var bounds: [ExplorationReport<State, Action>.Bound] = []
  private(set) var violations: [PropertyViolation] = []
  /// The properties of paths that a bound left undecided, each with the number of undecided states.
  private(set) var undecided: [(property: Int, states: Int)] = []

  init(
    _ exploration: Exploration<State, Action>, depth: Int, states: Int, within time: Duration?,
    progress: ExplorationProgress = ExplorationProgress()
  ) {
    self.exploration = exploration
    (depthLimit, stateLimit, self.time) = (depth, max(1, min(states, Int(Int32.max))), time)
    self.progress = progress
    identity = exploration.explorer.identity
    properties = exploration.explorer.properties
    edges = properties.contains { $0.kind.looksAtWays } ? ReachedEdges() : nil
    deadline = time.map { ContinuousClock.now.advanced(by: $0) }
  }

  // MARK: Exploring

  /// Explores until no state is left, a bound is met or a property is violated.
  mutating func explore() {
    let explorer = exploration.explorer
    let story = { explorer.storyToTrap(by: $0, move: $1) }
    TrapWatch.watch(trail, telling: story) { searchAll() }
    if violations.isEmpty { checkWays() }
  }

  private mutating func searchAll() {
    let start = exploration.start
    if add(start.state, start.configuration, from: -1, by: -1) == nil { return }
    var level = 0..<1
    while !level.isEmpty, violations.isEmpty {
      if counts.depth == depthLimit {
        if level.contains(where: { moves(from: $0).count > 0 }) {
          bounds.append(.depth(depthLimit))
          for number in level { edges?.leadsBeyond(number) }
        }
        return
      }
      for number in level {
        expand(number)
        if !violations.isEmpty { return }
        if number % 256 == 255, let bound = interruption {
          bounds.append(bound)
          for number in number..<states.count { edges?.leadsBeyond(number) }
          return
        }
      }
      level = level.upperBound..<states.count
      if !level.isEmpty { counts.depth += 1 }
    }
  }

  private var interruption: ExplorationReport<State, Action>.Bound? {
    if let deadline, let time, ContinuousClock.now >= deadline { return .time(time) }
    return Task.isCancelled ? .cancellation : nil
  }

  private func configuration(of number: Int) -> Configuration {
    exploration.configurations[Int(configurations[number])]
  }

  private func moves(from number: Int) -> Moves<Action> {
    exploration.moves(in: configuration(of: number), states[number])
  }

  private mutating func expand(_ number: Int) {
    let (state, configuration) = (states[number], configuration(of: number))
    trail.state = Int32(number)
    trail.move = -1
    let moves = exploration.moves(in: configuration, state)
    for index in 0..<moves.count {
      trail.move = Int32(index)
      var reached = state
      let configuration = exploration.make(index, of: moves, in: &reached, configuration)
      counts.moves += 1
      _ = add(reached, configuration, from: number, by: index)
      if !violations.isEmpty { return }
    }
  }

  /// - Returns: the number of the state; `nil` if it is not kept.
  private mutating func add(
    _ state: State, _ configuration: Configuration, from origin: Int, by move: Int
  ) -> Int? {
    let running = configuration.running
    let hash = identity.hash(state, running) &+ Int(configuration.likeness) &* 0x1E37_79B9_7F4A_7C15
    let known = table.find(hash: hash) { [states] number in
      let other = self.configuration(of: number)
      return other.likeness == configuration.likeness
        && identity.areEqual(states[number], other.running, state, running)
        && (other === configuration
          || other.isLike(configuration) { identity.areEqual(states[number], $0, states[number], $1) })
    }
    if let known {
      edges?.add(from: origin, to: known, by: move)
      return known
    }
    if states.count >= stateLimit {
      if !bounds.contains(.states(stateLimit)) { bounds.append(.states(stateLimit)) }
      edges?.leadsBeyond(origin)
      return nil
    }
    table.insert(hash: hash)
    states.append(state)
    configurations.append(configuration.number)
    trail.append(from: origin, by: move)
    edges?.add(from: origin, to: states.count - 1, by: move)
    counts.states = states.count
    progress.reached(states.count, of: State.self, depth: counts.depth, moves: counts.moves)
    for index in 0..<properties.count where properties[index].isViolated(by: state, configuration.running) {
      violations.append(PropertyViolation(property: index, path: trail.path(to: states.count - 1)))
    }
    return states.count - 1
  }

  // MARK: Paths

  /// For each property of paths, finds the first state that violates it.
  private mutating func checkWays() {
    guard let edges else { return }
    for (index, property) in properties.enumerated() {
      switch property.kind {
      case .always, .never: break
      case .alwaysReachable:
        let (stuck, count) = edges.ways(
          of: states.count, isGoal: { holds(property, in: $0) },
          rests: { moves(from: $0).outcomes.isEmpty })
        if let stuck { violations.append(PropertyViolation(property: index, path: trail.path(to: stuck))) }
        if count > 0 { undecided.append((index, count)) }
      case .eventually:
        if let (state, cycle) = livelock(without: property, edges) {
          let path = trail.path(to: state) + cycle
          violations.append(PropertyViolation(property: index, path: path, cycle: cycle.count))
        }
        let count = edges.openCount { holds(property, in: $0) }
        if count > 0 { undecided.append((index, count)) }
      }
    }
  }

  private func holds(_ property: ExploredProperty<State>, in state: Int) -> Bool {
    property.holds(states[state], configuration(of: state).running)
  }

  private func livelock(
    without property: ExploredProperty<State>, _ edges: ReachedEdges
  ) -> (state: Int, moves: [Int])? {
    let lacks = states.indices.map { !holds(property, in: $0) }
    let own = edges.edges.filter { edge in
      lacks[Int(edge.from)] && moves(from: Int(edge.from)).outcome(Int(edge.move)) != nil
    }
    return Livelock(
      ContiguousArray(own), of: states.count, runs: { Set(configuration(of: $0).runs.map(\.key)) },
      actor: { moves(from: Int($0.from)).run(Int($0.move)) }
    )
    .find()
  }
}

/// A property that does not hold, with the moves that show it.
struct PropertyViolation {
  /// The index of the property.
  let property: Int
  let path: [Int]
  /// How many of the last moves repeat for ever.
  var cycle = 0
}

/// For each state, the move that first reached it and the state before. Also the move in progress. A separate object,
/// since the story of a trap is written from it while the rest is being changed.
final class Trail {
  private var origins: ContiguousArray<(state: Int32, move: Int32)> = []
  /// The state from which a move is made; -1 while the feature is connected.
  var state: Int32 = -1
  /// The move that is being made; -1 while moves are looked for.
  var move: Int32 = -1

  /// Begins a path at the initial state.
  func begin() {
    origins.removeAll(keepingCapacity: true)
    append(from: -1, by: -1)
    (state, move) = (0, -1)
  }

  /// The move in progress has led to another state, from which the next move is made.
  func reachedNext() {
    append(from: Int(state), by: Int(move))
    (state, move) = (state + 1, -1)
  }

  func append(from state: Int, by move: Int) {
    origins.append((Int32(truncatingIfNeeded: state), Int32(truncatingIfNeeded: move)))
  }

  /// The moves by which a state was first reached.
  func path(to state: Int) -> [Int] {
    var path: [Int] = []
    var state = state
    while origins[state].state >= 0 {
      path.append(Int(origins[state].move))
      state = Int(origins[state].state)
    }
    return path.reversed()
  }
}
