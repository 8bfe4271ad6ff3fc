import Millrace

/// A feature as a machine of numbered decisions, beside the runtime: what its effects and lifetimes decide in each state.
///
/// A decision says what runs, what has finished and which parts of the state are alive. Equal decisions have equal
/// numbers, and what follows from one is computed once. Used by one thread.
final class FeatureModel<State: Sendable, Action: Sendable> {
  private let store: WiringStore<State, Action>
  private let connect: (Store<State, Action>) -> Void
  private let registry = ModelRegistry()
  /// The feature as its `connect` function connected it. More than one only if the function reads the state.
  private var roots: [(read: [any Sendable], model: PartModel)] = []
  /// The decisions of all roots but the first. The decisions of the first have the numbers that it gives them.
  private var others: [(root: Int, decision: Int32)] = []
  private var numbers: [Int64: Int32] = [:]

  init(
    _ state: State, options: StoreOptions = StoreOptions(), connect: @escaping (Store<State, Action>) -> Void
  ) {
    store = WiringStore(state, options: options)
    self.connect = connect
  }

  /// Looks at another state from here on.
  func look(at state: State) { store.look(at: state) }

  /// What is decided when the feature is connected to the state that is looked at.
  func connected() -> Int32 {
    if let only = roots.first, only.read.isEmpty {
      return number(of: registry.begins(only.model) { only.model.connected() }, root: 0)
    }
    let wiring = store.wiring(of: connect)
    let known = roots.firstIndex { areEqual($0.read, wiring.read) }
    let root = known ?? roots.count
    if known == nil { roots.append((wiring.read, PartModel(wiring, registry, path: []))) }
    let model = roots[root].model
    return number(of: registry.begins(model) { model.connected() }, root: root)
  }

  /// What is decided in the state that is looked at, after another decision.
  func next(after decision: Int32) -> Int32 {
    if decision >= 0 { return roots[0].model.next(after: decision) }
    let (root, decision) = others[~Int(decision)]
    return number(of: roots[root].model.next(after: decision), root: root)
  }

  /// What is decided when a run has returned; `decision` itself if the run is not in progress in it.
  func returned(_ run: ModelledRun, from decision: Int32) -> Int32 {
    let effect = registry.effects[Int(run.key.effect)]
    let (root, own) = decision >= 0 ? (0, decision) : others[~Int(decision)]
    let next = roots[root].model.changing(run.path[...], in: own) {
      effect.returned(run.key.request, from: $0)
    }
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

  /// The numbers of the effects that are connected.
  func effects(in decision: Int32) -> Set<Int32> {
    var effects: Set<Int32> = []
    visit(decision) { $0.forEachPart(in: $1) { effects.formUnion($0.effects) } }
    return effects
  }

  func effect(of run: RunKey) -> EffectModel { registry.effects[Int(run.effect)] }

  /// The actions that `connect` functions and lifetimes' closures have dispatched since this was last called.
  func takeSent() -> [SentByPart]? { registry.takeSent() }

  /// Whether an action of a closure is reduced: the part that was connected then has not ended since.
  func admits(_ sent: SentByPart, in decision: Int32) -> Bool {
    if registry.lives(of: sent.part) != sent.life { return false }
    var isAlive = false
    visit(decision) { $0.forEachPart(in: $1) { if $0.number == sent.part { isAlive = true } } }
    return isAlive
  }

  /// What the model cannot follow, in words.
  var problems: [String] { registry.notes.problems }

  private func visit(_ decision: Int32, _ body: (PartModel, Int32) -> Void) {
    let (root, own) = decision >= 0 ? (0, decision) : others[~Int(decision)]
    body(roots[root].model, own)
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
  /// What it decides when it is connected to the state that is looked at.
  func connected() -> Int32
  /// What it decides in the state that is looked at, after another decision.
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
  /// What was sent, by how many parts around it began in the same turn: a store connects what is within a part that
  /// begins after everything else.
  private var sent: [[SentByPart]] = []
  private var depth = 0
  private var lives: [Int: Int] = [:]
  /// Apart, since the effects write there and must not keep what keeps them.
  let notes = ModelNotes()

  func nextPart() -> Int {
    defer { partCount += 1 }
    return partCount
  }

  /// A part begins, and what its closure dispatches is sent.
  ///
  /// - Parameter connect: decides what is within it.
  func begins<Result>(_ part: PartModel, _ connect: () -> Result) -> Result {
    if !part.sent.isEmpty {
      let life = lives(of: part.number) + 1
      lives[part.number] = life
      while sent.count <= depth { sent.append([]) }
      sent[depth] += part.sent.map { SentByPart(action: $0, part: part.number, life: life) }
    }
    depth += 1
    defer { depth -= 1 }
    return connect()
  }

  /// How often a part has begun, if its closure dispatches anything.
  func lives(of part: Int) -> Int { lives[part] ?? 0 }

  func takeSent() -> [SentByPart]? {
    if sent.isEmpty { return nil }
    defer { sent = [] }
    return sent.flatMap(\.self)
  }
}

/// An action that a `connect` function or a lifetime's closure has dispatched.
struct SentByPart {
  let action: any Sendable
  /// The number of the part that was connected.
  let part: Int
  /// How often that part had begun.
  let life: Int
}

/// What a model cannot follow, in words.
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
