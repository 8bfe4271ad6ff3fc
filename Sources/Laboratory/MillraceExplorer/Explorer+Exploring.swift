import Millrace
import MillraceTesting

extension Explorer {
  // MARK: Exploring

  /// Explores everything that the moves lead to, the nearest first, up to bounds.
  ///
  /// Stops at the first violation of a property that holds `always` or `never`. Properties of `alwaysReachable` and
  /// `eventually` are checked when everything was explored; what a bound leaves undecided is a gap of the report. Blocks the calling thread; ends early if the calling task is
  /// cancelled. If a reducer, a selector or `requests(in:)` traps, the moves up to there are written to standard error, and
  /// a line after every 100,000 states.
  ///
  /// - Parameters:
  ///   - depth: the largest number of moves from the initial state.
  ///   - states: the largest number of states.
  ///   - time: the longest time; by default without a bound.
  /// - Complexity: O(states × moves) reductions, twice if effects share a limit, a throttle or a bucket. A state of five
  ///   words takes about 90 bytes.
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

  /// Goes random ways from the initial state, for a feature that is too large to be explored.
  ///
  /// At each state one of the legal moves is made, until a property that holds `always` or `never` is violated. The way is
  /// then shortened: moves are left out as long as the rest still violates the property. Properties of `alwaysReachable` and
  /// `eventually` are not checked. Blocks the calling thread; ends early if the calling task is cancelled.
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

  /// This explorer with what an exploration has found that it must know from the beginning; `nil` if there is nothing.
  private func explorer(knowing exploration: Exploration<State, Action>) -> Explorer? {
    exploration.places.hasFoundMore ? changed { $0.sharedEntrances = exploration.places.ofMany } : nil
  }

  /// The moves up to one that trapped, in words.
  ///
  /// - Parameters:
  ///   - path: the moves before; `nil` if it trapped when the feature was connected to the initial state.
  ///   - move: the move that trapped; -1 if looking for the moves did.
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

  /// The gaps of the exploration, and the problems with its moves.
  fileprivate func note(in report: inout ExplorationReport<State, Action>) {
    report.allowed = explorer.allowed
    report.unlisted = unlisted
    report.unlistedComponents = unlistedComponents
    report.problems = problems
    if !report.unlisted.isEmpty { report.gaps.insert(.unlistedOutcomes) }
    if !report.unlistedComponents.isEmpty { report.gaps.insert(.components) }
  }

  /// Goes a way that shows that a property does not hold, to tell it.
  ///
  /// - Parameter cycle: how many of the moves at the end go round for ever.
  fileprivate func counterexample(
    to property: ExploredProperty<State>, by path: [Int], cycle: Int = 0
  ) -> Counterexample<State, Action> {
    let (steps, places) = way(by: path)
    return counterexample(to: property, steps, places, cycle: cycle)
  }

  /// Tells a way that shows that a property does not hold.
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
