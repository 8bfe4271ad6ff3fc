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
  private var states: ContiguousArray<State> = []
  private var configurations: ContiguousArray<Int32> = []
  /// By which move, of which state, each state was first reached.
  private var origins: ContiguousArray<(state: Int32, move: Int32)> = []
  private var edges: ReachedEdges?

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
  }

  var stateCount: Int { states.count }

  // MARK: Exploring

  /// Explores until everything was seen, a bound is met or a property is violated.
  mutating func explore() {
    var level: [Place] = []
    add(exploration.start, from: -1, by: -1, to: &level)
    var first = 0
    while !level.isEmpty, violations.isEmpty {
      if depth == depthLimit {
        metDepth = true
        for number in first..<states.count { edges?.leadsBeyond(number) }
        break
      }
      var next: [Place] = []
      for index in 0..<level.count {
        expand(level[index], number: first + index, to: &next)
        if !violations.isEmpty { return }
      }
      first += level.count
      if !next.isEmpty { depth += 1 }
      level = next
    }
    if let edges, violations.isEmpty { findStuck(edges) }
  }

  private mutating func expand(_ place: Place, number: Int, to next: inout [Place]) {
    let moves = exploration.moves(from: place)
    for index in 0..<moves.count {
      let reached = exploration.place(after: index, of: moves, from: place)
      moveCount += 1
      add(reached, from: number, by: index, to: &next)
    }
  }

  private mutating func add(_ place: Place, from origin: Int, by move: Int, to level: inout [Place]) {
    let configuration = place.configuration.number
    let hash = identity.hash(place.state) &+ Int(configuration) &* 0x1E37_79B9_7F4A_7C15
    let isFull = states.count >= stateLimit
    let areEqual = identity.areEqual
    let found = table.find(hash: hash) { [states, configurations] in
      configurations[$0] == configuration && areEqual(states[$0], place.state)
    }
    if let found {
      edges?.add(from: origin, to: found)
      return
    }
    if isFull {
      metStates = true
      edges?.leadsBeyond(origin)
      return
    }
    let number = states.count
    table.insert(hash: hash)
    states.append(place.state)
    configurations.append(configuration)
    origins.append((Int32(truncatingIfNeeded: origin), Int32(truncatingIfNeeded: move)))
    edges?.add(from: origin, to: number)
    level.append(place)
    check(place, number)
  }

  // MARK: Properties

  private mutating func check(_ place: Place, _ number: Int) {
    let running = place.configuration.running
    for index in 0..<properties.count where properties[index].isViolated(by: place.state, running) {
      violations.append((index, number))
    }
  }

  /// Finds, for each property that is to be reached, the first state from which it cannot be.
  private mutating func findStuck(_ edges: ReachedEdges) {
    for (index, property) in properties.enumerated() where property.kind == .eventually {
      let stuck = edges.firstStuck(of: states.count) { number in
        let running = exploration.configurations.all[Int(configurations[number])].running
        return property.holds(states[number], running)
      }
      if let stuck { violations.append((index, stuck)) }
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
