import Millrace

/// Explores breadth first, so that the first way to a state is a shortest one.
struct BreadthFirst<State: Sendable, Action: Sendable> {
  typealias Place = Exploration<State, Action>.Place

  private let exploration: Exploration<State, Action>
  private let depthLimit: Int
  private let stateLimit: Int
  private let identity: StateIdentity<State>
  private let properties: [ExploredProperty<State>]

  private var table = StateTable()
  private(set) var states: ContiguousArray<State> = []
  /// The number of the configuration of each state.
  private(set) var configurations: ContiguousArray<Int32> = []
  /// By which move, of which state, each state was first reached.
  private var origins: ContiguousArray<(state: Int32, move: Int32)> = []
  private var edges: ReachedEdges?
  private let commuting: Commuting<State, Action>?

  private(set) var moveCount = 0
  private(set) var depth = 0
  private(set) var metDepth = false
  private(set) var metStates = false
  private(set) var violations: [(property: Int, state: Int)] = []

  init(_ exploration: Exploration<State, Action>, depth: Int, states: Int) {
    self.exploration = exploration
    depthLimit = depth
    identity = exploration.explorer.identity
    properties = exploration.explorer.properties
    stateLimit = max(1, min(states, Int(Int32.max)))
    let hasEventually = properties.contains { $0.kind == .eventually }
    edges = hasEventually ? ReachedEdges() : nil
    commuting = Commuting(exploration)
  }

  var stateCount: Int { states.count }
  var skippedCount: Int { commuting?.skippedCount ?? 0 }
  /// What shows that a declared part is not what the test says: then the exploration has ended.
  var refutation: Refutation? { commuting?.refutation }

  // MARK: Exploring

  /// Explores until everything was seen, a bound is met or a property is violated.
  mutating func explore() {
    var level: [Place] = []
    _ = add(exploration.start, from: -1, by: -1, to: &level)
    var first = 0
    while !level.isEmpty, violations.isEmpty {
      if depth == depthLimit {
        metDepth = true
        for number in first..<states.count { edges?.leadsBeyond(number) }
        break
      }
      var next: [Place] = []
      for index in 0..<level.count {
        expand(level[index], number: first + index, nextLevel: first + level.count, to: &next)
        if !violations.isEmpty || refutation != nil { return }
      }
      first += level.count
      if !next.isEmpty { depth += 1 }
      level = next
    }
    if violations.isEmpty { findStuck() }
  }

  /// - Parameter nextLevel: the number of the first state of the next level.
  private mutating func expand(_ place: Place, number: Int, nextLevel: Int, to next: inout [Place]) {
    let moves = exploration.moves(from: place)
    commuting?.begin(place, moves, number)
    for index in 0..<moves.count {
      if let commuting, commuting.leavesOut(index) { continue }
      let reached = exploration.place(after: index, of: moves, from: place)
      moveCount += 1
      let found = add(reached, from: number, by: index, to: &next)
      commuting?.made(index, reached, found.flatMap { $0 < nextLevel ? nil : $0 })
    }
  }

  private func hash(_ state: State, _ configuration: Int32) -> Int {
    identity.hash(state) &+ Int(configuration) &* 0x1E37_79B9_7F4A_7C15
  }

  /// The number of a state that is known.
  private func number(of state: State, _ configuration: Int32, hash: Int) -> Int? {
    table.find(hash: hash) { configurations[$0] == configuration && identity.areEqual(states[$0], state) }
  }

  /// - Returns: the number of the state; `nil` if it is not kept.
  private mutating func add(
    _ place: Place, from origin: Int, by move: Int, to level: inout [Place]
  ) -> Int? {
    let configuration = place.configuration.number
    let hash = hash(place.state, configuration)
    if let found = number(of: place.state, configuration, hash: hash) {
      edges?.add(from: origin, to: found)
      return found
    }
    if states.count >= stateLimit {
      metStates = true
      edges?.leadsBeyond(origin)
      return nil
    }
    let number = states.count
    table.insert(hash: hash)
    states.append(place.state)
    configurations.append(configuration)
    origins.append((Int32(truncatingIfNeeded: origin), Int32(truncatingIfNeeded: move)))
    edges?.add(from: origin, to: number)
    level.append(place)
    check(place, number)
    return number
  }

  // MARK: Properties

  private mutating func check(_ place: Place, _ number: Int) {
    let running = place.configuration.running
    for index in 0..<properties.count where properties[index].isViolated(by: place.state, running) {
      violations.append((index, number))
    }
  }

  /// Finds, for each property that is to be reached, the first state from which it cannot be.
  private mutating func findStuck() {
    guard var edges else { return }
    if let commuting { addEdges(leftOutBy: commuting, to: &edges) }
    for (index, property) in properties.enumerated() where property.kind == .eventually {
      let stuck = edges.firstStuck(of: states.count) { number in
        let running = exploration.configurations.all[Int(configurations[number])].running
        return property.holds(states[number], running)
      }
      if let stuck { violations.append((index, stuck)) }
    }
  }

  /// Adds where the moves lead that were left out.
  private func addEdges(leftOutBy commuting: Commuting<State, Action>, to edges: inout ReachedEdges) {
    for number in states.indices {
      let configuration = exploration.configurations.all[Int(configurations[number])]
      for next in commuting.reachedByLeftOut(number, states[number], configuration) {
        let found = next.flatMap {
          self.number(of: $0.state, $0.configuration, hash: hash($0.state, $0.configuration))
        }
        if let found { edges.add(from: number, to: found) } else { edges.leadsBeyond(number) }
      }
    }
  }

  /// By which moves a state was first reached.
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
