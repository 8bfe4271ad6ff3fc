import Millrace
import TestSupport

@testable import MillraceTesting

/// A random walk through a random feature, made by an explorer's model and by a store.
struct FeatureWalk {
  private let plan: FeaturePlan
  private let exploration: Exploration<FeaturePart, FeatureAction>
  private var place: Exploration<FeaturePart, FeatureAction>.Place
  private var feature: HeldFeature
  private var story: [String] = []
  /// The runs before the last step, where that step left no doubt which of them went on.
  private var former: [HeldFeature.Place: [UInt64]] = [:]
  private(set) var counts = WalkCounts()
  let length: Int

  init(using random: inout SeededGenerator) {
    let plan = FeaturePlan.random(using: &random)
    var state = FeaturePart(id: 0, using: &random)
    state.child = Bool.random(using: &random) ? FeaturePart(id: 1, using: &random) : nil
    let seeds = (0..<3).map { _ in random.next() }
    var explorer = Explorer(
      initialState: state, reduce: FeatureAction.reduce, connect: { plan.connectWhole(to: $0) }
    )
    .userActions { state in seeds.map { .user($0 &+ UInt64(state.log.count)) } }
    .outcomes(of: Wish.self) { wish in
      [
        .answers(.said(wish, 0)), .answers(.said(wish, 1)), .answers(), .sends(.said(wish, 2)),
        .sends(.said(wish, 3)).then(.answers(.said(wish, 4), .said(wish, 5))), .fails(WishEffect.Refused()),
        .sends(.said(wish, 6)).then(.fails(WishEffect.Refused())),
      ]
    }
    if Int.random(in: 0..<4, using: &random) == 0 { explorer = explorer.crashes() }
    self.plan = plan
    exploration = Exploration(explorer)
    feature = HeldFeature(state, plan)
    place = exploration.start
    length = Int.random(in: 4...24, using: &random)
  }

  /// Makes a move, if there is one.
  mutating func goOn(_ random: inout SeededGenerator) -> Bool {
    let moves = exploration.moves(from: place)
    let choice = (0..<moves.count).filter { isClear($0, of: moves) }
    guard let index = choice.randomElement(using: &random) else { return false }
    let step = moves.step(index)
    story.append(StepText.text(of: step))
    former = feature.runs
    let logged = feature.state.log.count
    switch step {
    case .action(let action): feature.dispatch(action)
    case .outcome(let outcome):
      counts.outcomes += 1
      guard let run = moves.outcomes[index - moves.user.count].run,
        feature.perform(outcome, of: Self.place(of: run))
      else {
        story.append("the store has no such run")
        break
      }
      // What a run leads to as it ends may ask for an equal request anew.
      if !outcome.goesOn { former[Self.place(of: run)] = nil }
    case .restart:
      counts.restarts += 1
      feature = HeldFeature(feature.state, plan)
      former = [:]
    case .component, .time: break
    }
    if feature.state.log.dropFirst(logged).contains(where: \.isGreeting) { former = [:] }
    place = exploration.place(after: index, of: moves, from: place)
    counts.steps += 1
    counts.runs += place.configuration.runs.count
    counts.handedOver += place.configuration.runs.count { AnyHashable($0.begun) != AnyHashable($0.request) }
    return true
  }

  /// A run that fails with a value that nobody has taken is followed by one in the store, and not in the model.
  private func isClear(_ index: Int, of moves: Moves<FeatureAction>) -> Bool {
    guard case .outcome(let outcome) = moves.step(index), outcome.failure != nil,
      let run = moves.outcomes[index - moves.user.count].run
    else { return true }
    return AnyHashable(run.begun) == AnyHashable(run.request)
  }

  private static func place(of run: ModelledRun) -> HeldFeature.Place {
    HeldFeature.Place(effect: run.connection.name, parts: run.parts, begun: AnyHashable(run.begun))
  }

  // MARK: Comparing

  /// What differs, if anything does.
  var difference: String? {
    let told = Set(place.configuration.runs.map(Self.place))
    let done = feature.runs
    var found: [String] = []
    if place.state != feature.state {
      found += Difference(from: feature.state, to: place.state).lines.map { "state \($0)" }
    }
    found += told.subtracting(done.keys).map { "only told: \($0)" }
    found += Set(done.keys).subtracting(told).map { "only done: \($0)" }
    found += done.filter { $0.value.count > 1 }.map { "twice: \($0.key)" }
    if told.count < place.configuration.runs.count { found.append("told twice: \(place.configuration.runs)") }
    found += done.filter { former[$0.key, default: $0.value] != $0.value }.map { "begun anew: \($0.key)" }
    found += place.configuration.runs.compactMap(wrongValue)
    if place.configuration.components.map(\.name).sorted() != feature.components {
      found.append("components: told \(place.configuration.components.map(\.name)), \(feature.components)")
    }
    found += feature.problems
    if found.isEmpty { return nil }
    let text = story.enumerated().map { "\($0 + 1). \($1)" } + ["runs: \(done.keys)"] + found.sorted()
    return "\(plan)\n" + text.joined(separator: "\n")
  }

  /// Where the newest value of a run is not the one that the state asks for.
  private func wrongValue(of run: ModelledRun) -> String? {
    guard let wish = run.request as? Wish, let effect = plan.effect(named: run.connection.name) else {
      return nil
    }
    if effect.ignores {
      return AnyHashable(run.begun) == AnyHashable(run.request) ? nil : "replaced: \(wish)"
    }
    let part = FeaturePlan.part(of: run.connection.name, run.parts, in: place.state)
    return part?.wishes[wish.key] == wish.value ? nil : "not asked for: \(run.connection.name) \(wish)"
  }
}
