import Millrace
import MillraceFeature

/// The connections of one call of a `connect` function or of a lifetime's closure, as a machine of numbered decisions.
final class PartModel {
  /// A statement of a `connect` function.
  private enum Statement {
    /// Connects one of the deciders.
    case connects(Int)
    case sends(SentByPart)
  }

  /// Unique in its feature.
  let number: Int
  let components: [ConnectionIdentity]
  /// The numbers of its effects.
  let effects: [Int32]
  /// The actions that were dispatched while it was connected.
  let sent: [SentByPart]
  private let deciders: [any DecidingModel]
  /// The statements of a `connect` function. It is called from outside: what it dispatches, and what the lifetimes that it
  /// connects dispatch, is reduced before its next statement. A connection in a lifetime's closure, by contrast, is made
  /// at the end of one turn.
  private let statements: [Statement]
  /// Whether the decisions are those of the only decider.
  private let isSingle: Bool
  /// The decisions of each of its deciders, by number; followed by the number of statements that were executed, if it is
  /// what a `connect` function connects.
  private var decisions: [[Int32]] = []
  private var numbers: [[Int32]: Int32] = [:]

  /// Makes the model of a `connect` function's connections.
  convenience init(root wiring: Wiring, _ registry: ModelRegistry) {
    self.init(wiring, registry, path: [], name: "connect", isRoot: true)
  }

  /// - Parameters:
  ///   - path: leads to it from the feature.
  ///   - name: the name of the connection whose closure connects it.
  init(_ wiring: Wiring, _ registry: ModelRegistry, path: [Int], name: String, isRoot: Bool = false) {
    number = registry.nextPart()
    var (deciders, effects, components, sent) =
      ([any DecidingModel](), [Int32](), [ConnectionIdentity](), [SentByPart]())
    var statements: [Statement] = []
    // Of what is at one place effects come before lifetimes.
    var lifetimes: [any DecidingModel] = []
    let all = wiring.statements
    let effectCount = all.count { if case .effect = $0 { true } else { false } }
    for statement in all {
      switch statement {
      case .effect(let effect):
        let number = Int32(registry.effects.count)
        let model = EffectModel(
          makeDecider(of: effect, number, path + [deciders.count], registry.notes), number: number,
          keepsDecisions: registry.keepsDecisions)
        effects.append(number)
        registry.effects.append(model)
        statements.append(.connects(deciders.count))
        deciders.append(model)
      case .lifetime(let lifetime):
        let index = effectCount + lifetimes.count
        statements.append(.connects(index))
        lifetimes.append(
          LifetimeModel(
            makeLists(of: lifetime), registry, path: path + [index], name: lifetime.connection.name))
      case .component(let connection): components.append(connection)
      case .sends(let action):
        sent.append(SentByPart(action: action, part: number, name: name))
        statements.append(.sends(sent[sent.count - 1]))
      }
    }
    deciders += lifetimes
    self.statements = isRoot ? statements : []
    (self.deciders, self.effects, self.components, self.sent) = (deciders, effects, components, sent)
    isSingle = deciders.count == 1 && (sent.isEmpty || !isRoot)
    for ended in wiring.endedElsewhere {
      registry.notes.add("\(ended) was ended by a closure that did not connect it, which is not explored")
    }
  }

  /// Stands for the decision of what is not connected yet.
  private static let isNotConnected: Int32 = -1

  func connected() -> Int32 {
    if isSingle { return deciders[0].connected() }
    return number(of: deciders.map { $0.connected() })
  }

  func next(after decision: Int32) -> Int32 {
    if isSingle { return deciders[0].next(after: decision) }
    let known = decisions[Int(decision)]
    var next: [Int32]?
    for index in 0..<deciders.count where known[index] != Self.isNotConnected {
      let decided = deciders[index].next(after: known[index])
      if decided != known[index] {
        if next == nil { next = known }
        next?[index] = decided
      }
    }
    return next.map(number) ?? decision
  }

  // MARK: Connect functions

  /// The decision when the `connect` function is called, up to the first action that is dispatched.
  func beginConnecting(_ registry: ModelRegistry) -> Int32 {
    if isSingle { return deciders[0].connected() }
    let nothing = number(of: Array(repeating: Self.isNotConnected, count: deciders.count) + [0])
    return goOnConnecting(after: nothing, registry) ?? nothing
  }

  /// The decision when the `connect` function goes on, up to the next action; `nil` if it has returned.
  func goOnConnecting(after decision: Int32, _ registry: ModelRegistry) -> Int32? {
    if isSingle { return nil }
    var next = decisions[Int(decision)]
    let stage = deciders.count
    if next[stage] == statements.count { return nil }
    while next[stage] < statements.count, !registry.hasSent {
      switch statements[Int(next[stage])] {
      case .connects(let index): next[index] = deciders[index].connected()
      case .sends(let sent): registry.send([sent])
      }
      next[stage] += 1
    }
    return number(of: next)
  }

  // MARK: Looking

  func changing(_ path: ArraySlice<Int>, in decision: Int32, _ change: (Int32) -> Int32) -> Int32 {
    guard let index = path.first else { return decision }
    if isSingle { return deciders[0].changing(path.dropFirst(), in: decision, change) }
    var next = decisions[Int(decision)]
    next[index] = deciders[index].changing(path.dropFirst(), in: next[index], change)
    return number(of: next)
  }

  func forEachRun(in decision: Int32, _ body: (ModelledRun) -> Void) {
    forEach(in: decision) { $0.forEachRun(in: $1, body) }
  }

  /// Calls `body` with it and with the parts within it that are alive.
  func forEachPart(in decision: Int32, _ body: (PartModel) -> Void) {
    body(self)
    forEach(in: decision) { $0.forEachPart(in: $1, body) }
  }

  private func forEach(in decision: Int32, _ body: (any DecidingModel, Int32) -> Void) {
    if isSingle { return body(deciders[0], decision) }
    for (decider, decision) in zip(deciders, decisions[Int(decision)])
    where decision != Self.isNotConnected { body(decider, decision) }
  }

  private func number(of decision: [Int32]) -> Int32 {
    if let number = numbers[decision] { return number }
    let number = Int32(decisions.count)
    decisions.append(decision)
    numbers[decision] = number
    return number
  }
}

private func makeDecider(
  of wired: some WiredEffect, _ number: Int32, _ path: [Int], _ notes: ModelNotes
) -> any EffectDecider { WiredEffectDecider(wired, number: number, path: path, notes) }

private func makeLists(of wired: some WiredLifetime) -> any PartLists { WiredPartLists(wired) }
