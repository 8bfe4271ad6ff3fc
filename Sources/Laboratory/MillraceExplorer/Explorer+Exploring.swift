import MillraceTesting

extension Explorer {
  // MARK: Exploring

  /// Explores all states that the moves lead to, nearest first, up to bounds.
  ///
  /// Stops at the first violation of a property of `always` or `never`. Properties of `alwaysReachable` and
  /// `eventually` are checked at the end; those that a bound leaves undecided are a gap of the report. Blocks the
  /// calling thread; ends early if the calling task is cancelled. Writes a line to standard error after every 10,000
  /// states. If a reducer, a selector or `requests(in:)` traps, writes the moves that led there to standard error.
  ///
  /// - Parameters:
  ///   - depth: the largest number of moves from the initial state.
  ///   - states: the largest number of states.
  ///   - time: the longest time; by default unbounded.
  /// - Complexity: O(states × moves) reductions, twice that if effects share a limit, a throttle or a bucket. A state
  ///   of five words takes about 90 bytes.
  public func explore(
    depth: Int = .max, states: Int = 1_000_000, within time: Duration? = nil
  ) -> ExplorationReport<State, Action> {
    let exploration = Exploration(self)
    var search = BreadthFirst(exploration, depth: depth, states: states, within: time)
    search.explore()
    if let explorer = explorer(knowing: exploration) {
      return explorer.explore(depth: depth, states: states, within: time)
    }
    var report = exploration.report(search.counts, search.bounds, search.violations)
    if properties.isEmpty { report.gaps.insert(.nothingToCheck) }
    report.undecided = search.undecided.map { "\(properties[$0.property].text): \($0.states)" }
    if !report.undecided.isEmpty { report.gaps.insert(.undecidedProperties) }
    if report.counterexamples.isEmpty {
      report.unusedOutcomes = exploration.maker.unused
      if !report.unusedOutcomes.isEmpty { report.gaps.insert(.unusedOutcomes) }
    }
    return report
  }

  /// Takes random walks from the initial state, for a feature that is too large to be explored.
  ///
  /// A walk makes one of the legal moves at each state, until a property of `always` or `never` is violated. The walk
  /// is then shortened: moves are left out as long as the rest still violates the property. Properties of
  /// `alwaysReachable` and `eventually` are not checked. Blocks the calling thread; ends early if the calling task is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - seed: the seed of the random choices. Equal seeds make equal walks as long as the feature has equal moves.
  ///   - walks: the largest number of walks.
  ///   - depth: the number of moves of each walk.
  public func walk(seed: UInt64, walks: Int = 1_000, depth: Int = 100) -> ExplorationReport<State, Action> {
    let exploration = Exploration(self)
    var search = RandomWalks(exploration, seed: seed)
    let found = search.find(walks: walks, depth: depth)
    if let explorer = explorer(knowing: exploration) {
      return explorer.walk(seed: seed, walks: walks, depth: depth)
    }
    let violations = found.map { [PropertyViolation(property: $0.property, path: $0.path)] } ?? []
    var report = exploration.report(search.counts, search.bounds, violations)
    report.isRandom = true
    if properties.allSatisfy(\.kind.looksAtWays) { report.gaps.insert(.nothingToCheck) }
    return report
  }

  /// This explorer with the shared entrances that the exploration found; `nil` if it found no new ones.
  private func explorer(knowing exploration: Exploration<State, Action>) -> Explorer? {
    exploration.places.hasFoundMore ? changed { $0.sharedEntrances = exploration.places.ofMany } : nil
  }

  /// The moves up to one that trapped, in words.
  ///
  /// - Parameters:
  ///   - path: the moves before; `nil` if connecting the feature to the initial state trapped.
  ///   - move: the index of the move that trapped; -1 if listing the moves trapped.
  func storyToTrap(by path: [Int]?, move: Int) -> String {
    guard let path else {
      return "The exploration trapped when the feature was connected to \(ValueText(initialState))\n"
    }
    let exploration = Exploration(self)
    let (steps, places) = exploration.way(by: path)
    let story = StoryText(
      steps: steps, states: places.map(\.state), running: places.map(\.configuration.running)
    ).lines
    let last =
      move < 0
      ? "the moves from there are looked for"
      : StepText.reported(exploration.moves(from: places[path.count]).step(move))
    return
      (["The exploration trapped here:", ""] + story + ["  \(path.count + 1). \(last)", "     TRAP", ""])
      .joined(separator: "\n")
  }
}

extension ExplorationReport.Bound {
  fileprivate var gap: ExplorationGap {
    switch self {
    case .depth: .depth
    case .states: .states
    case .time: .time
    case .cancellation: .cancellation
    }
  }
}

extension Exploration {
  // MARK: Reports

  /// The report of a search, with the gaps of the exploration and the problems with its moves.
  fileprivate func report(
    _ counts: ExplorationReport<State, Action>.Counts, _ bounds: [ExplorationReport<State, Action>.Bound],
    _ violations: [PropertyViolation]
  ) -> ExplorationReport<State, Action> {
    var report = ExplorationReport<State, Action>()
    (report.counts, report.bounds, report.allowed) = (counts, bounds, explorer.allowed)
    report.counterexamples = violations.map { violation in
      let (steps, places) = way(by: violation.path)
      return counterexample(
        to: explorer.properties[violation.property], steps, places, cycle: violation.cycle)
    }
    (report.unlisted, report.unlistedComponents) = (maker.unlisted, unlistedComponents)
    report.problems = problems
    for bound in bounds { report.gaps.insert(bound.gap) }
    if counts.moves == 0, bounds.isEmpty { report.gaps.insert(.nothingToExplore) }
    if !report.unlisted.isEmpty { report.gaps.insert(.unlistedOutcomes) }
    if !report.unlistedComponents.isEmpty { report.gaps.insert(.components) }
    return report
  }

  /// Describes a path that violates the property.
  ///
  /// - Parameter cycle: how many of the last moves repeat for ever.
  func counterexample(
    to property: ExploredProperty<State>, _ steps: [ExploredStep<Action>], _ places: [Place], cycle: Int = 0
  ) -> Counterexample<State, Action> {
    let running = places.map(\.configuration.running)
    let states = places.map(\.state)
    let story = StoryText(steps: steps, states: states, running: running)
    let isBetween = places.last?.configuration.key.waiting.isEmpty == false
    let test = TestText(
      explorer: explorer, property: property, steps: steps, states: states, running: running,
      isBetween: isBetween
    ).text
    return Counterexample(
      property: property.text, site: property.site, steps: steps, states: states, running: running,
      story: story.text(showing: property, cycle: cycle), test: test)
  }
}
