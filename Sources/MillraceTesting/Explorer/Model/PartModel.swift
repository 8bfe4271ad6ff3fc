import Millrace

/// What one call of a `connect` function or of a lifetime's closure has connected, as a machine of numbered decisions.
final class PartModel {
  /// Unique in its feature.
  let number: Int
  let components: [ConnectionIdentity]
  /// The numbers of its effects.
  let effects: [Int32]
  /// The actions that were dispatched while it was connected.
  let sent: [any Sendable]
  private let deciders: [any DecidingModel]
  /// The decisions of each of its deciders, by number.
  private var decisions: [[Int32]] = []
  private var numbers: [[Int32]: Int32] = [:]

  /// - Parameter path: leads to it from the feature.
  init(_ wiring: Wiring, _ registry: ModelRegistry, path: [Int]) {
    number = registry.nextPart()
    let ended = Set(wiring.ended.map(\.number))
    components = wiring.components.filter { !ended.contains($0.number) }
    sent = wiring.sent
    var deciders: [any DecidingModel] = []
    var effects: [Int32] = []
    for effect in wiring.effects where !ended.contains(effect.connection.number) {
      let (number, path) = (Int32(registry.effects.count), path + [deciders.count])
      let model = EffectModel(makeDecider(of: effect, number, path, registry.notes), number: number)
      effects.append(number)
      registry.effects.append(model)
      deciders.append(model)
    }
    for lifetime in wiring.lifetimes where !ended.contains(lifetime.connection.number) {
      deciders.append(LifetimeModel(makeLists(of: lifetime), registry, path: path + [deciders.count]))
    }
    self.deciders = deciders
    self.effects = effects
    let own = wiring.effects.map(\.connection) + wiring.lifetimes.map(\.connection) + wiring.components
    for ended in wiring.ended where !own.contains(ended) {
      registry.notes.add("\(ended) was ended by a closure that did not connect it, which is not explored")
    }
  }

  func connected() -> Int32 {
    if deciders.count == 1 { return deciders[0].connected() }
    return number(of: deciders.map { $0.connected() })
  }

  func next(after decision: Int32) -> Int32 {
    if deciders.count == 1 { return deciders[0].next(after: decision) }
    let known = decisions[Int(decision)]
    var next: [Int32]?
    for index in 0..<known.count {
      let decided = deciders[index].next(after: known[index])
      if decided != known[index] {
        if next == nil { next = known }
        next?[index] = decided
      }
    }
    return next.map(number) ?? decision
  }

  func changing(_ path: ArraySlice<Int>, in decision: Int32, _ change: (Int32) -> Int32) -> Int32 {
    guard let index = path.first else { return decision }
    if deciders.count == 1 { return deciders[0].changing(path.dropFirst(), in: decision, change) }
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
    if deciders.count == 1 { return body(deciders[0], decision) }
    for (decider, decision) in zip(deciders, decisions[Int(decision)]) { body(decider, decision) }
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
