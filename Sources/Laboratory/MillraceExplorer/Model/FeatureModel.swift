import Millrace

/// A feature as a machine of numbered decisions, beside the runtime: what its effects and lifetimes decide in each state.
///
/// A decision says what runs, what has finished and which parts of the state are alive. Equal decisions have equal
/// numbers, and what follows from one is computed once. Used by one thread.
final class FeatureModel<State: Sendable, Action: Sendable> {
  private typealias Root = (read: [any Sendable], model: PartModel)

  private let store: WiringStore<State, Action>
  /// The state that is looked at, and the state in which the last decision was made.
  private var (present, left): (State, State)
  private let connect: (Store<State, Action>) -> Void
  private let registry: ModelRegistry
  /// The feature as its `connect` function connected it to the initial state.
  private let first: Root
  /// The feature as the function connected it to other states, if it reads the state.
  private var more: [Root] = []
  /// Whether there are lifetimes, as far as is known at the beginning.
  private let hasLifetimes: Bool
  /// The decisions of all roots but the first. The decisions of the first have the numbers that it gives them.
  private var others: [(root: Int, decision: Int32)] = []
  private var numbers: [Int64: Int32] = [:]

  init(
    _ state: State, options: StoreOptions = StoreOptions(), keepsDecisions: Bool = true,
    connect: @escaping (Store<State, Action>) -> Void
  ) {
    registry = ModelRegistry(keepsDecisions: keepsDecisions)
    store = WiringStore(state, options: options)
    self.connect = connect
    let wiring = store.wiring(of: connect)
    first = (wiring.read, PartModel(root: wiring, registry))
    hasLifetimes = !wiring.lifetimes.isEmpty || !wiring.read.isEmpty
    (present, left) = (state, state)
    registry.lookBack = { [unowned self] in lookBack($0) }  // which owns the registry
  }

  /// Looks at another state from here on.
  func look(at state: State) {
    if hasLifetimes { present = state }
    store.look(at: state)
  }

  /// The state in which the last decision was made is going to be changed. Lifetimes look back at it.
  func leave(_ state: State) { if hasLifetimes { left = state } }

  private func lookBack(_ body: () -> Void) {
    store.look(at: left)
    body()
    store.look(at: present)
  }

  /// The decision when the feature is connected to the state that is looked at, up to the first action it dispatches.
  func connected() -> Int32 {
    let root = rootOfPresentState()
    return number(of: self[root].model.beginConnecting(registry), root: root)
  }

  /// The decision when the `connect` function goes on after an action that it dispatched; `nil` if it has returned.
  func connected(after decision: Int32) -> Int32? {
    let (root, own) = place(of: decision)
    return self[root].model.goOnConnecting(after: own, registry).map { number(of: $0, root: root) }
  }

  private func rootOfPresentState() -> Int {
    if first.read.isEmpty { return 0 }
    let wiring = store.wiring(of: connect)
    if areEqual(first.read, wiring.read) { return 0 }
    if let known = more.firstIndex(where: { areEqual($0.read, wiring.read) }) { return known + 1 }
    more.append((wiring.read, PartModel(root: wiring, registry)))
    return more.count
  }

  private subscript(root: Int) -> Root { root == 0 ? first : more[root - 1] }

  private func place(of decision: Int32) -> (root: Int, decision: Int32) {
    decision >= 0 ? (0, decision) : others[~Int(decision)]
  }

  /// The decision in the state that is looked at, after another decision.
  func next(after decision: Int32) -> Int32 {
    if decision >= 0 { return first.model.next(after: decision) }
    let (root, own) = place(of: decision)
    return number(of: self[root].model.next(after: own), root: root)
  }

  /// The decision when a run has shown at which of its values it is; `decision` itself if the run is not in progress in it.
  func reported(_ run: ModelledRun, at value: RunValue, returns: Bool, from decision: Int32) -> Int32 {
    let effect = registry.effects[Int(run.key.effect)]
    let report = RunReport(run: run.key.request, value: value.number, isOld: value.isOld, returns: returns)
    let (root, own) = place(of: decision)
    let next = self[root].model.changing(run.path[...], in: own) { effect.reported(report, from: $0) }
    return number(of: next, root: root)
  }

  /// The runs in progress, in the order in which their effects are connected.
  func runs(in decision: Int32) -> [ModelledRun] {
    var runs: [ModelledRun] = []
    visit(decision) { $0.forEachRun(in: $1) { runs.append($0) } }
    return runs
  }

  /// The components and views that are connected.
  func components(in decision: Int32) -> [ConnectionIdentity] {
    var components: [ConnectionIdentity] = []
    visit(decision) { $0.forEachPart(in: $1) { components += $0.components } }
    return components
  }

  /// The effects that are connected, in order.
  func effects(in decision: Int32) -> [(number: Int32, name: String)] {
    var effects: [Int32] = []
    visit(decision) { $0.forEachPart(in: $1) { effects += $0.effects } }
    return effects.map { ($0, registry.effects[Int($0)].connection.name) }
  }

  func effect(of run: RunKey) -> any EffectDecider { registry.effects[Int(run.effect)].decider }

  /// The actions that `connect` functions and lifetimes' closures have dispatched since this was last called.
  func takeSent() -> [SentByPart]? { registry.takeSent() }

  /// Whether an action of a closure is reduced: the part that was connected then has not ended.
  func admits(_ sent: SentByPart, in decision: Int32) -> Bool {
    var isAlive = false
    visit(decision) { $0.forEachPart(in: $1) { if $0.number == sent.part { isAlive = true } } }
    return isAlive
  }

  /// The limits of the model that the feature exceeds, in words.
  var problems: [String] { registry.notes.problems }

  private func visit(_ decision: Int32, _ body: (PartModel, Int32) -> Void) {
    let (root, own) = place(of: decision)
    body(self[root].model, own)
  }

  private func number(of decision: Int32, root: Int) -> Int32 {
    if root == 0 { return decision }
    let key = Int64(root) << 32 | Int64(decision)
    if let number = numbers[key] { return number }
    others.append((root, decision))
    let number = ~Int32(others.count - 1)
    numbers[key] = number
    return number
  }
}

/// Something of a feature that decides: an effect or a lifetime.
protocol DecidingModel: AnyObject {
  /// Its decision when it is connected to the state that is looked at.
  func connected() -> Int32
  /// Its decision in the state that is looked at, after another decision.
  func next(after decision: Int32) -> Int32
  /// Changes what an effect within it has decided.
  func changing(_ path: ArraySlice<Int>, in decision: Int32, _ change: (Int32) -> Int32) -> Int32
  func forEachRun(in decision: Int32, _ body: (ModelledRun) -> Void)
  func forEachPart(in decision: Int32, _ body: (PartModel) -> Void)
}

/// The effects of a feature by number.
final class ModelRegistry {
  var effects: [EffectModel] = []
  private(set) var partCount = 0
  /// Calls the closure while the state is looked at in which the last decision was made.
  var lookBack: (() -> Void) -> Void = { _ in }
  /// Whether a decision that was made is known the next time.
  let keepsDecisions: Bool
  /// Whether closures have dispatched something that was not taken.
  var hasSent: Bool { !sent.isEmpty }
  /// The sent actions, by the number of parts around them that began in the same turn: a store connects what is
  /// within a part that begins after everything else.
  private var sent: [[SentByPart]] = []
  private var depth = 0
  /// Apart, since the effects write there and must not keep what keeps them.
  let notes = ModelNotes()

  init(keepsDecisions: Bool) { self.keepsDecisions = keepsDecisions }

  func nextPart() -> Int {
    defer { partCount += 1 }
    return partCount
  }

  /// A part begins, and what its closure dispatches is sent.
  ///
  /// - Parameter connect: decides what is within it.
  func begins<Result>(_ part: PartModel, _ connect: () -> Result) -> Result {
    send(part.sent)
    depth += 1
    defer { depth -= 1 }
    return connect()
  }

  /// A closure that is called dispatches actions.
  func send(_ actions: [SentByPart]) {
    if actions.isEmpty { return }
    while sent.count <= depth { sent.append([]) }
    sent[depth] += actions
  }

  func takeSent() -> [SentByPart]? {
    if sent.isEmpty { return nil }
    defer { sent = [] }
    return sent.flatMap(\.self)
  }
}

/// The limits of a model that the feature exceeds, in words.
final class ModelNotes {
  private(set) var problems: [String] = []

  func add(_ problem: String) { if !problems.contains(problem) { problems.append(problem) } }
}

/// Whether two lists of states are equal. States that are not `Equatable` are equal to none.
func areEqual(_ left: [any Sendable], _ right: [any Sendable]) -> Bool {
  func equal<Value: Equatable>(_ left: Value, _ right: any Sendable) -> Bool { left == right as? Value }
  return left.count == right.count
    && zip(left, right).allSatisfy { one, other in (one as? any Equatable).map { equal($0, other) } ?? false }
}
