import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport

@testable import MillraceExplorer

/// A random walk through a random feature, made by an explorer's model and by a store.
///
/// A store does all that is due at one moment, in an order that it does not promise. So the model keeps every place that
/// it may be in, and those are left out that differ from the store.
struct FeatureWalk {
  private typealias Place = Exploration<FeaturePart, FeatureAction>.Place

  private let plan: FeaturePlan
  private let exploration: Exploration<FeaturePart, FeatureAction>
  private var places: [Place] = []
  private var feature: HeldFeature
  private var story: [String] = []
  /// What differs, if anything does.
  private(set) var difference: String?
  /// The runs before the last step, where that step left no doubt which of them went on.
  private var former: [HeldFeature.Place: [UInt64]] = [:]
  private(set) var counts = WalkCounts()
  let length: Int
  /// The recording of the store, and the state with which that began.
  private var recorded: (memory: TraceMemory, from: FeaturePart)

  init(using random: inout SeededGenerator) async {
    let plan = FeaturePlan.random(using: &random)
    var state = FeaturePart(id: 0, using: &random)
    state.child = Bool.random(using: &random) ? FeaturePart(id: 1, using: &random) : nil
    let seeds = (0..<3).map { _ in random.next() }
    let world = FeatureWorld()
    var explorer = Explorer(
      initialState: state, reduce: FeatureAction.reduce, connect: { plan.connect(to: $0, world) }
    )
    .userActions { state in seeds.map { .user($0 &+ UInt64(state.log.count)) } }
    .outcomes(of: Wish.self) { wish in
      [
        .answers(.said(wish, 0)), .answers(.said(wish, 1)), .answers(), .sends(.said(wish, 2)),
        .sends(.said(wish, 3)).then(.answers(.said(wish, 4), .said(wish, 5))), .fails(WishEffect.Refused()),
        .sends(.said(wish, 6)).then(.fails(WishEffect.Refused())),
      ]
    }
    .outcomes(of: Int.self, sending: Mark.self) { [.answers(.done($0)), .fails(RandomWork.Failed())] }
    if Int.random(in: 0..<4, using: &random) == 0 { explorer = explorer.crashes() }
    self.plan = plan
    exploration = Exploration(explorer)
    recorded = (TraceMemory(), state)
    feature = HeldFeature(state, plan, recordedIn: recorded.memory)
    length = Int.random(in: 4...24, using: &random)
    await compare([exploration.start])
  }

  /// Replays what the store has done since it was made.
  func replay() async throws -> ReplayVerdict {
    try await feature.finishRecording()
    let plan = plan
    return try Replay(of: recorded.memory, from: recorded.from, reduce: FeatureAction.reduce) { store in
      plan.connect(to: store, FeatureWorld())
    }.verdict()
  }

  /// Makes a move, if there is one.
  mutating func goOn(_ random: inout SeededGenerator) async -> Bool {
    guard let place = places.randomElement(using: &random) else { return false }
    let moves = exploration.moves(from: place)
    let timed = (0..<moves.count).filter { moves.step($0).passed != nil }
    let all = (0..<moves.count).filter { index in
      guard case .outcome(let outcome) = moves.step(index), let run = moves.outcome(index)?.run else {
        return true
      }
      return feature.isHeld(at: outcome, Self.place(of: run))
    }
    let choice = timed.isEmpty || Bool.random(using: &random) ? all : timed
    guard let index = choice.randomElement(using: &random) else { return false }
    let step = moves.step(index)
    if let passed = step.passed, !places.allSatisfy({ isDue(after: passed, at: $0) }) {
      // The store may be at a place at which nothing is due then, and the model has no move for time that passes there.
      counts.undecided += 1
      return false
    }
    story.append(StepText.text(of: step))
    former = feature.runs
    let logged = feature.state.log.count
    perform(step, of: moves.outcome(index)?.run, at: moves.outcome(index)?.value)
    counts.steps += 1
    await compare(
      places.flatMap { place in
        let moves = exploration.moves(from: place)
        return (0..<moves.count).filter { Self.isSame(moves.step($0), step) }
          .map { exploration.place(after: $0, of: moves, from: place) }
      }, after: logged)
    return true
  }

  /// Whether something is due at a place once so much time has passed.
  private func isDue(after passed: Duration, at place: Place) -> Bool {
    let moves = exploration.moves(from: place)
    return (0..<moves.count).contains { moves.step($0).passed == passed }
  }

  /// Whether a store makes both moves at once: those that are due at the same time it does.
  private static func isSame(_ move: ExploredStep<FeatureAction>, _ other: ExploredStep<FeatureAction>)
    -> Bool
  {
    if let passed = other.passed { return move.passed == passed }
    return StepText.text(of: move) == StepText.text(of: other)
  }

  private mutating func perform(
    _ step: ExploredStep<FeatureAction>, of run: ModelledRun?, at value: RunValue?
  ) {
    switch step {
    case .action(let action): feature.dispatch(action)
    case .outcome(let outcome):
      counts.outcomes += 1
      if let passed = outcome.passed {
        counts.timed += 1
        return feature.world.clock.advance(by: passed)
      }
      guard let run, feature.perform(outcome, of: Self.place(of: run), isOld: value?.isOld == true) else {
        story.append("the store has no such run")
        break
      }
      // What a run leads to as it ends may ask for an equal request anew.
      if !outcome.continues { former[Self.place(of: run)] = nil }
      if outcome.leavesValue { counts.left += 1 }
    case .time(let time): feature.world.clock.advance(by: time)
    case .restart:
      counts.restarts += 1
      let state = feature.state
      recorded = (TraceMemory(), state)
      feature = HeldFeature(state, plan, recordedIn: recorded.memory)
      former = [:]
    case .closure, .component: break
    }
  }

  /// Makes the moves that a store makes by itself, and leaves out the places that differ from the store.
  private mutating func compare(_ reached: [Place], after logged: Int = 0) async {
    // A thread on which an update ends may make a turn of ours, and begins its runs after it.
    if plan.isTimed || plan.isDisplayed { await feature.settle() }
    let added = feature.state.log.dropFirst(logged)
    if added.count > 1 || added.contains(where: \.isGreeting) || plan.isTimed { former = [:] }
    let settled = settled(reached)
    places = settled.filter { differences(at: $0).isEmpty }
    if places.isEmpty, settled.count > 1, settled.contains(where: differsInServingAlone) {
      // Several things were due at one moment. A run that began and was stopped within it may or may not have passed a
      // throttle, which tells whether its successor waits: the walk ends here.
      counts.undecided += 1
      return
    }
    if places.isEmpty {
      let found = settled.first.map(differences) ?? ["there is no such move"]
      let text = story.enumerated().map { "\($0 + 1). \($1)" } + ["runs: \(feature.runs.keys)"]
      difference = "\(plan)\n" + (text + found.sorted()).joined(separator: "\n")
    }
    guard let place = places.first else { return }
    counts.runs += place.configuration.runs.count
    counts.handedOver += place.configuration.runs.count { AnyHashable($0.begun) != AnyHashable($0.request) }
    counts.choices += places.count > 1 ? 1 : 0
  }

  /// The places to which what is due now leads, in every order.
  private mutating func settled(_ places: [Place]) -> [Place] {
    var (line, found, seen) = (places, [Place](), Set<String>())
    while let place = line.popLast(), seen.count < 1_000 {
      let moves = exploration.moves(from: place)
      let due = (0..<moves.count).filter { moves.step($0).isDueNow }
      if due.isEmpty {
        found.append(place)
        continue
      }
      guard seen.insert("\(place.configuration.number) \(place.state)").inserted else { continue }
      counts.between += place.configuration.key.waiting.isEmpty ? 0 : 1
      line += due.map { exploration.place(after: $0, of: moves, from: place) }
    }
    return found
  }

  private static func place(of run: ModelledRun) -> HeldFeature.Place {
    HeldFeature.Place(effect: run.connection.name, parts: run.parts, begun: AnyHashable(run.begun))
  }

  // MARK: Comparing

  private func differences(at place: Place) -> [String] {
    let reported = Set(place.configuration.runs.map(Self.place))
    let done = feature.runs
    var found: [String] = []
    if place.state != feature.state {
      found += Difference(from: feature.state, to: place.state).lines.map { "state \($0)" }
    }
    found += reported.subtracting(done.keys).map { "only told: \($0)" }
    found += Set(done.keys).subtracting(reported).map { "only done: \($0)" }
    found += done.filter { $0.value.count > 1 }.map { "twice: \($0.key)" }
    if reported.count < place.configuration.runs.count {
      found.append("told twice: \(place.configuration.runs)")
    }
    found += done.filter { former[$0.key, default: $0.value] != $0.value }.map { "begun anew: \($0.key)" }
    found += place.configuration.runs.compactMap { wrongValue(of: $0, in: place.state) }
    if place.configuration.components.map(\.name).sorted() != feature.components {
      found.append("components: told \(place.configuration.components.map(\.name)), \(feature.components)")
    }
    if served(at: place) != feature.world.served {
      found.append("\(Self.serving)told \(served(at: place)), \(feature.world.served)")
    }
    return found + feature.problems
  }

  private static let serving = "served: "

  private func differsInServingAlone(_ place: Place) -> Bool {
    differences(at: place).allSatisfy { $0.hasPrefix(Self.serving) }
  }

  /// The requests within policies whose work is under way.
  private func served(at place: Place) -> Set<FeatureWorld.Served> {
    let moves = exploration.moves(from: place)
    return Set(
      (0..<moves.count).compactMap { index in
        guard case .outcome(let outcome) = moves.step(index), outcome.passed == nil,
          let number = outcome.request as? Int
        else { return nil }
        let rows = FeaturePlan.rows(of: outcome.effect, outcome.parts)
        return FeatureWorld.Served(
          place: FeatureWorld.Place(effect: outcome.effect, rows: rows), number: number)
      })
  }

  /// Where the newest value of a run is not the one that the state asks for.
  private func wrongValue(of run: ModelledRun, in state: FeaturePart) -> String? {
    guard let wish = run.request as? Wish, let effect = plan.effect(named: run.connection.name) else {
      return nil
    }
    if effect.ignores {
      return AnyHashable(run.begun) == AnyHashable(run.request) ? nil : "replaced: \(wish)"
    }
    let part = FeaturePlan.part(of: run.connection.name, run.parts, in: state)
    return part?.wishes[wish.key] == wish.value ? nil : "not asked for: \(run.connection.name) \(wish)"
  }
}

extension ExploredStep {
  /// The time that passes before it.
  fileprivate var passed: Duration? {
    switch self {
    case .outcome(let outcome): outcome.passed
    case .time(let time): time
    case .action, .closure, .component, .restart: nil
    }
  }

  /// Whether a store does it before it rests.
  fileprivate var isDueNow: Bool {
    if case .closure = self { return true }
    return passed == .zero
  }
}
