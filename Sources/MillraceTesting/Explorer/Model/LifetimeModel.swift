import Millrace

/// A lifetime as a machine of numbered decisions: which parts are alive, and what is decided in each.
final class LifetimeModel<Wired: WiredLifetime>: DecidingModel {
  private typealias Part = (id: Wired.ID, model: PartModel, decision: Int32)

  private let wired: Wired
  private let registry: ModelRegistry
  private let path: [Int]
  private var decisions: [[Part]] = []
  /// Numbers of decisions, by the numbers of the parts and their decisions, sorted: the order of parts decides nothing.
  private var numbers: [[Int64]: Int32] = [:]
  /// What the closure connects for each part. More than one only if it reads the state.
  private var models: [Wired.ID: [(read: [any Sendable], model: PartModel)]] = [:]

  init(_ wired: Wired, _ registry: ModelRegistry, path: [Int]) {
    (self.wired, self.registry, self.path) = (wired, registry, path)
  }

  func connected() -> Int32 { number(of: wired.ids().map(begin)) }

  func next(after decision: Int32) -> Int32 {
    let ids = wired.ids()
    let known = decisions[Int(decision)]
    if ids.count == known.count, !zip(ids, known).contains(where: { $0 != $1.id }) {
      var next: [Part]?
      for (index, part) in known.enumerated() {
        let decided = part.model.next(after: part.decision)
        if decided != part.decision {
          if next == nil { next = known }
          next?[index].decision = decided
        }
      }
      return next.map(number) ?? decision
    }
    let parts = ids.map { id -> Part in
      guard let part = known.first(where: { $0.id == id }) else { return begin(id) }
      return (id, part.model, part.model.next(after: part.decision))
    }
    return number(of: parts)
  }

  private func begin(_ id: Wired.ID) -> Part {
    let model = model(of: id)
    registry.sent += model.sent
    return (id, model, model.connected())
  }

  private func model(of id: Wired.ID) -> PartModel {
    if let only = models[id]?.first, only.read.isEmpty { return only.model }
    let wiring = wired.wiring(of: id)
    if let known = models[id]?.first(where: { areEqual($0.read, wiring.read) }) { return known.model }
    let model = PartModel(wiring, registry, path: path + [registry.partCount])
    models[id, default: []].append((wiring.read, model))
    return model
  }

  func changing(_ path: ArraySlice<Int>, in decision: Int32, _ change: (Int32) -> Int32) -> Int32 {
    var parts = decisions[Int(decision)]
    guard let index = parts.firstIndex(where: { $0.model.number == path.first }) else { return decision }
    let part = parts[index]
    parts[index].decision = part.model.changing(path.dropFirst(), in: part.decision, change)
    return number(of: parts)
  }

  func forEachRun(in decision: Int32, _ body: (ModelledRun) -> Void) {
    for part in decisions[Int(decision)] { part.model.forEachRun(in: part.decision, body) }
  }

  func forEachPart(in decision: Int32, _ body: (PartModel) -> Void) {
    for part in decisions[Int(decision)] { part.model.forEachPart(in: part.decision, body) }
  }

  private func number(of parts: [Part]) -> Int32 {
    let key = parts.map { Int64($0.model.number) << 32 | Int64($0.decision) }.sorted()
    if let number = numbers[key] { return number }
    let number = Int32(decisions.count)
    decisions.append(parts)
    numbers[key] = number
    return number
  }
}
