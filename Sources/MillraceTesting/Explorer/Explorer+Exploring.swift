import Millrace

extension Explorer {
  // MARK: Exploring

  /// Explores everything that the moves lead to, the nearest first, up to bounds.
  ///
  /// Stops at the first violation of a property that holds `always` or `never`. What can be reached `eventually` is
  /// checked when everything was explored. Blocks the calling thread. Parts of the state that were declared by
  /// ``part(_:changedBy:)`` save moves.
  ///
  /// - Parameters:
  ///   - depth: the largest number of moves from the initial state.
  ///   - states: the largest number of states.
  /// - Complexity: O(states × moves) reductions, twice if effects share a limit, a throttle or a bucket. A state of five words takes about 90 bytes where only effects are
  ///   connected; where lifetimes are, a state keeps what is connected in it.
  public func explore(depth: Int = .max, states: Int = 1_000_000) -> ExplorationReport<State, Action> {
    let exploration = Exploration(self)
    var search = BreadthFirst(exploration, depth: depth, states: states)
    search.explore()
    if let explorer = explorer(knowing: exploration) { return explorer.explore(depth: depth, states: states) }
    if let refutation = search.refutation {
      let text = RefutationText(exploration, refutation, search.path).text
      var report = changed { $0.parts = [] }.explore(depth: depth, states: states)
      report.problems.insert(text, at: 0)
      return report
    }
    var report = ExplorationReport<State, Action>()
    report.counts.states = search.stateCount
    report.counts.moves = search.moveCount
    report.counts.skipped = search.skippedCount
    report.counts.depth = search.depth
    if search.metDepth { report.bounds.append(.depth(depth)) }
    if search.metStates { report.bounds.append(.states(states)) }
    report.counterexamples = search.violations.map {
      exploration.counterexample(to: properties[$0.property], by: search.path(to: $0.state))
    }
    exploration.note(in: &report)
    return report
  }
}

extension Explorer {
  /// Goes random ways from the initial state, for a feature that is too large to be explored.
  ///
  /// At each state one of the legal moves is made, until a property that holds `always` or `never` is violated. The way is
  /// then shortened: moves are left out as long as the rest still violates the property. What can be reached `eventually`
  /// is not checked. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - seed: the seed of the random choices. The same seed makes the same walks while the lists of moves stay the same.
  ///   - walks: the largest number of walks.
  ///   - depth: the number of moves of each walk.
  public func walk(seed: UInt64, walks: Int = 1_000, depth: Int = 100) -> ExplorationReport<State, Action> {
    let exploration = Exploration(self)
    var search = RandomWalks(exploration, seed: seed)
    let found = search.find(walks: walks, depth: depth)
    if let explorer = explorer(knowing: exploration) {
      return explorer.walk(seed: seed, walks: walks, depth: depth)
    }
    var report = ExplorationReport<State, Action>()
    report.isRandom = true
    report.counts.moves = search.moveCount
    report.counts.walks = search.walkCount
    report.counts.depth = search.depth
    report.counterexamples =
      found.map {
        [exploration.counterexample(to: properties[$0.property], by: $0.path)]
      } ?? []
    exploration.note(in: &report)
    return report
  }
}

extension Explorer {
  /// This explorer with what an exploration has found that it must know from the beginning; `nil` if there is nothing.
  fileprivate func explorer(knowing exploration: Exploration<State, Action>) -> Explorer? {
    let places = exploration.configurations.places
    return places.hasFoundMore ? changed { $0.sharedEntrances = places.ofMany } : nil
  }
}

extension Exploration {
  /// The requests of stopped runs that have not returned: only where fences are switched off.
  private func stopped(in place: Place) -> [any Hashable & Sendable] {
    moves(from: place).outcomes.compactMap(\.event.outcome).filter(\.wasStopped).map(\.request).reduce(
      into: []
    ) {
      found, request in
      if !found.contains(where: { AnyHashable($0) == AnyHashable(request) }) { found.append(request) }
    }
  }

  /// What was wrong with the moves.
  func note(in report: inout ExplorationReport<State, Action>) {
    report.unlisted = configurations.unlisted
    report.problems = configurations.misfits + (division?.claims ?? []) + diagnostics
    report.undivided = division?.undivided ?? []
  }

  /// Goes a way from the initial state once more.
  func way(by path: [Int]) -> (steps: [ExploredStep<Action>], places: [Place]) {
    var places = [start]
    var steps: [ExploredStep<Action>] = []
    for index in path {
      let place = places[places.count - 1]
      let moves = moves(from: place)
      steps.append(moves.step(index))
      places.append(self.place(after: index, of: moves, from: place))
    }
    return (steps, places)
  }

  /// Goes a way that shows that a property does not hold, to tell it.
  func counterexample(
    to property: ExploredProperty<State>, by path: [Int]
  ) -> Counterexample<State, Action> {
    let (steps, places) = way(by: path)
    let running = places.map(\.configuration.running)
    let states = places.map(\.state)
    let story = StoryText(steps, states, running).text(showing: property)
    let test = TestText(
      explorer, property, steps, states, running[running.count - 1], stopped: stopped(in: places[path.count])
    ).text
    return Counterexample(
      property: property.text, site: property.site, steps: steps, states: states, running: running,
      story: story, test: test)
  }
}
