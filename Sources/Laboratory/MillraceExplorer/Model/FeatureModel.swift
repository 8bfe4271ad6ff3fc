import Millrace
import MillraceFeature

/// A feature as a machine of numbered decisions, beside the runtime. It steps the values of the feature's
/// ``FeaturePart``.
///
/// A decision says which runs are in progress, which have finished and which parts of the state are alive. Equal
/// decisions have equal numbers. The next decision of an effect is computed once and then looked up. Used by one
/// thread.
final class FeatureModel<State: Sendable, Action: Sendable> {
  private let store: WiringStore<State, Action>
  /// The state that the model looks at, and the state of the last decision.
  private var (present, left): (State, State)
  private let connect: (Store<State, Action>) -> Void
  private let keepsDecisions: Bool
  // `unowned`, since the model owns the context and no closure of it is called after its end.
  private lazy var context = FeatureContext(
    recallsParts: true, lookBack: keepsDecisions ? { [unowned self] in lookBack($0) } : nil,
    wired: { [unowned self] in note($0) }, effect: { [unowned self] in effect($0, path: $1) })
  /// The feature as its `connect` function connects it. If that function reads the state, there is one entry for each
  /// value read.
  private var roots: [(read: [any Sendable], part: FeaturePart)] = []
  /// Whether the feature has lifetimes at the beginning, or its `connect` function reads the state.
  private let hasLifetimes: Bool
  private var features: [FeaturePart] = []
  private var numbers: [[Int64]: Int32] = [:]
  /// The effects of each decision without lifetimes; `nil` for the others.
  private var flat: [[NumberedEffect]?] = []
  /// A tree of the decisions that effects make one after the other. `nodes` has the nodes by the decisions that lead to
  /// them; `reached` has the decision of each node, -1 if unknown.
  private var nodes: [Int64: Int32] = [:]
  private var reached: [Int32] = []
  private var key: [Int64] = []
  private var reports: [RunReport: Int32] = [:]
  private var turn = FeatureTurn()
  private var effects: [any EffectModel] = []
  /// Notes a limit of the model that the feature exceeds, in words.
  private let noteProblem: (String) -> Void

  init(
    _ state: State, options: StoreOptions, keepsDecisions: Bool,
    noting noteProblem: @escaping (String) -> Void, connect: @escaping (Store<State, Action>) -> Void
  ) {
    store = WiringStore(state, options: options)
    (self.keepsDecisions, self.noteProblem, self.connect) = (keepsDecisions, noteProblem, connect)
    (present, left) = (state, state)
    let wiring = store.wiring(of: connect)
    hasLifetimes = wiring.hasLifetimes || !wiring.read.isEmpty
    roots = [(wiring.read, FeaturePart(wiring, context))]
  }

  private func note(_ wiring: Wiring) {
    for ended in wiring.endedElsewhere {
      noteProblem("\(ended) was ended by a closure that did not connect it, which is not explored")
    }
  }

  private func effect(_ wired: some WiredEffect, path: [Int]) -> any FeatureEffect {
    let model = WiredEffectModel(
      wired, number: Int32(effects.count), path: path, noting: noteProblem, keepsDecisions: keepsDecisions)
    effects.append(model)
    return NumberedEffect(model: model, number: 0)
  }

  // MARK: States

  /// Makes the model look at another state.
  func look(at state: State) {
    if hasLifetimes { present = state }
    store.look(at: state)
  }

  /// Keeps the state of the last decision before it changes: lifetimes compare with it.
  func leave(_ state: State) { if hasLifetimes { left = state } }

  private func lookBack(_ body: () -> Void) {
    store.look(at: left)
    body()
    store.look(at: present)
  }

  // MARK: Deciding

  /// The decision after the feature is connected to the current state, up to the first action that `connect`
  /// dispatches.
  func connected() -> Int32 {
    var part = partOfPresentState()
    _ = part.goesOn(&turn)
    return number(of: part)
  }

  /// The decision after the `connect` function continues behind an action that it dispatched; `nil` if it has returned.
  func connected(after decision: Int32) -> Int32? {
    var part = features[Int(decision)]
    return part.goesOn(&turn) ? number(of: part) : nil
  }

  private func partOfPresentState() -> FeaturePart {
    if roots[0].read.isEmpty { return roots[0].part }
    let wiring = store.wiring(of: connect)
    if let known = roots.first(where: { areEqual($0.read, wiring.read) }) { return known.part }
    let part = FeaturePart(wiring, context)
    roots.append((wiring.read, part))
    return part
  }

  /// The decision after another one, in the state that the model looks at.
  func next(after decision: Int32) -> Int32 {
    guard keepsDecisions, let effects = flat[Int(decision)] else { return step(decision) }
    var (node, isChanged) = (~decision, false)
    for effect in effects {
      let next = effect.model.next(after: effect.number)
      isChanged = isChanged || next != effect.number
      node = self.node(after: node, next)
    }
    if !isChanged { return decision }
    if reached[Int(node)] < 0 { reached[Int(node)] = step(decision) }
    return reached[Int(node)]
  }

  private func step(_ decision: Int32) -> Int32 {
    features[Int(decision)].sliceChanged(&turn).map(number) ?? decision
  }

  /// The decision after a run has reported which of its values it serves; `decision` itself if the run is not in
  /// progress there.
  func reported(_ run: ModelledRun, at value: RunValue, returns: Bool, from decision: Int32) -> Int32 {
    let report = RunReport(
      decision: decision, effect: run.key.effect, run: run.key.request, value: value.number,
      isOld: value.isOld, returns: returns)
    if keepsDecisions, let known = reports[report] { return known }
    let model = effects[Int(run.key.effect)]
    var part = features[Int(decision)]
    part.change(run.path[...]) { place in
      guard let number = place.effect?.number else { return }
      place.effect = NumberedEffect(model: model, number: model.reported(report, from: number))
    }
    let next = number(of: part)
    reports[report] = next
    return next
  }

  private func node(after node: Int32, _ next: Int32) -> Int32 {
    let key = Int64(node) << 32 | Int64(next)
    if let known = nodes[key] { return known }
    nodes[key] = Int32(reached.count)
    reached.append(-1)
    return Int32(reached.count - 1)
  }

  private func number(of part: FeaturePart) -> Int32 {
    key.removeAll(keepingCapacity: true)
    part.identify(in: &key)
    if let number = numbers[key] { return number }
    let number = Int32(features.count)
    features.append(part)
    flat.append(part.hasLifetimes ? nil : numbered(number))
    numbers[key] = number
    return number
  }

  /// The actions that `connect` functions and lifetimes' closures have dispatched since the last call.
  func takeSent() -> [SentAction] { turn.takeSent() }

  // MARK: Lookups

  /// The runs in progress, in the order in which their effects are connected.
  func runs(in decision: Int32) -> [ModelledRun] {
    numbered(decision).flatMap { $0.model.runs(in: $0.number) }
  }

  /// The components and views that are connected.
  func components(in decision: Int32) -> [ConnectionIdentity] { parts(in: decision).flatMap(\.components) }

  /// The effects that are connected, in order.
  func effects(in decision: Int32) -> [(number: Int32, name: String)] {
    numbered(decision).map { ($0.model.number, $0.model.connection.name) }
  }

  func effect(of run: RunKey) -> any EffectModel { effects[Int(run.effect)] }

  /// Whether the action of a closure is reduced: its part of the state has not ended.
  func admits(_ sent: SentAction, in decision: Int32) -> Bool {
    parts(in: decision).contains { $0.number == sent.part }
  }

  private func parts(in decision: Int32) -> [FeaturePart] {
    var parts: [FeaturePart] = []
    features[Int(decision)].forEachPart { parts.append($0) }
    return parts
  }

  private func numbered(_ decision: Int32) -> [NumberedEffect] {
    parts(in: decision).flatMap(\.places).compactMap { $0.isConnected ? $0.effect as? NumberedEffect : nil }
  }
}
