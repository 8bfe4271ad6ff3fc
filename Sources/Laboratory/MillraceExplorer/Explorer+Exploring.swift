import Millrace
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
    var search = BreadthFirst(exploration, ExplorationLimits(depth: depth, states: states, time: time))
    search.explore()
    if let explorer = explorer(knowing: exploration) {
      return explorer.explore(depth: depth, states: states, within: time)
    }
    var report = ExplorationReport<State, Action>()
    report.counts.states = search.stateCount
    report.counts.moves = search.moveCount
    report.counts.depth = search.depth
    report.bounds = search.bounds
    for bound in search.bounds { report.gaps.insert(bound.gap) }
    if properties.isEmpty { report.gaps.insert(.nothingToCheck) }
    if search.moveCount == 0, search.bounds.isEmpty { report.gaps.insert(.nothingToExplore) }
    report.counterexamples = search.violations.map {
      exploration.counterexample(to: properties[$0.property], by: $0.path, cycle: $0.cycle)
    }
    report.undecided = search.undecided.map { "\(properties[$0.property].text): \($0.states)" }
    if !report.undecided.isEmpty { report.gaps.insert(.undecidedProperties) }
    if report.counterexamples.isEmpty {
      report.unusedOutcomes = exploration.unusedOutcomes
      if !report.unusedOutcomes.isEmpty { report.gaps.insert(.unusedOutcomes) }
    }
    exploration.note(in: &report)
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
    var report = ExplorationReport<State, Action>()
    report.isRandom = true
    report.counts.moves = search.moveCount
    report.counts.walks = search.walkCount
    report.counts.depth = search.depth
    if search.wasCancelled {
      report.bounds = [.cancellation]
      report.gaps.insert(.cancellation)
    }
    if properties.allSatisfy(\.kind.looksAtWays) { report.gaps.insert(.nothingToCheck) }
    if search.moveCount == 0 { report.gaps.insert(.nothingToExplore) }
    report.counterexamples =
      found.map {
        [exploration.counterexample(to: properties[$0.property], by: $0.path)]
      } ?? []
    exploration.note(in: &report)
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
    let story = StoryText(steps, places.map(\.state), places.map(\.configuration.running)).lines
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

  /// Writes the gaps of the exploration, and the problems with its moves, into the report.
  fileprivate func note(in report: inout ExplorationReport<State, Action>) {
    report.allowed = explorer.allowed
    report.unlisted = unlisted
    report.unlistedComponents = unlistedComponents
    report.problems = problems
    if !report.unlisted.isEmpty { report.gaps.insert(.unlistedOutcomes) }
    if !report.unlistedComponents.isEmpty { report.gaps.insert(.components) }
  }

  /// Repeats the moves of a path that violates the property, and describes them.
  ///
  /// - Parameter cycle: how many of the last moves repeat for ever.
  fileprivate func counterexample(
    to property: ExploredProperty<State>, by path: [Int], cycle: Int = 0
  ) -> Counterexample<State, Action> {
    let (steps, places) = way(by: path)
    return counterexample(to: property, steps, places, cycle: cycle)
  }

  /// Describes a path that violates the property.
  func counterexample(
    to property: ExploredProperty<State>, _ steps: [ExploredStep<Action>], _ places: [Place], cycle: Int = 0
  ) -> Counterexample<State, Action> {
    let running = places.map(\.configuration.running)
    let states = places.map(\.state)
    let story = StoryText(steps, states, running).text(showing: property, cycle: cycle)
    let isBetween = places.last?.configuration.waiting.isEmpty == false
    let test = TestText(explorer, property, steps, states, running, isBetween: isBetween).text
    return Counterexample(
      property: property.text, site: property.site, steps: steps, states: states, running: running,
      story: story, test: test)
  }
}
