import Millrace

/// A lifetime as a machine of numbered decisions: which parts are alive, and what is decided in each. Without the type of
/// the ids, so that no type is looked up in each move.
final class LifetimeModel: DecidingModel {
  private struct Decision {
    /// The number of the list of ids.
    let list: Int32
    let ids: [Int32]
    let parts: [PartModel]
    var decisions: [Int32]
  }

  private let lists: any PartLists
  private let registry: ModelRegistry
  private let path: [Int]
  /// The name of its connection.
  private let name: String
  private var all: [Decision] = []
  /// Numbers of decisions, by the numbers of the parts and their decisions, sorted: the order of parts decides nothing.
  private var numbers: [[Int64]: Int32] = [:]
  /// The connections that the closure makes for each part. More than one only if it reads the state.
  private var models: [Int32: [(read: [any Sendable], model: PartModel)]] = [:]

  init(_ lists: any PartLists, _ registry: ModelRegistry, path: [Int], name: String) {
    (self.lists, self.registry, self.path, self.name) = (lists, registry, path, name)
  }

  func connected() -> Int32 {
    let list = lists.present()
    let ids = lists.ids(in: list)
    let parts = ids.map(begin)
    return number(
      of: Decision(list: list, ids: ids, parts: parts.map(\.model), decisions: parts.map(\.decision)))
  }

  func next(after decision: Int32) -> Int32 {
    let known = all[Int(decision)]
    if let touched = lists.touched(registry.lookBack), touched.allSatisfy(known.ids.contains) {
      return next(after: known, decision) { touched.contains(known.ids[$0]) }
    }
    let list = lists.present()
    if list != known.list { return next(after: known, in: list) }
    return next(after: known, decision) { _ in true }
  }

  /// The decision while the same parts are alive, of which some may have changed.
  private func next(
    after known: Decision, _ decision: Int32, where mayHaveChanged: (Int) -> Bool
  ) -> Int32 {
    var next = known
    var isChanged = false
    for index in 0..<known.parts.count where mayHaveChanged(index) {
      let decided = known.parts[index].next(after: known.decisions[index])
      if decided == known.decisions[index] { continue }
      next.decisions[index] = decided
      isChanged = true
    }
    return isChanged ? number(of: next) : decision
  }

  /// The decision once other parts are alive.
  private func next(after known: Decision, in list: Int32) -> Int32 {
    let ids = lists.ids(in: list)
    let parts = ids.map { id -> (model: PartModel, decision: Int32) in
      guard let index = known.ids.firstIndex(of: id) else { return begin(id) }
      return (known.parts[index], known.parts[index].next(after: known.decisions[index]))
    }
    return number(
      of: Decision(list: list, ids: ids, parts: parts.map(\.model), decisions: parts.map(\.decision)))
  }

  private func begin(_ id: Int32) -> (model: PartModel, decision: Int32) {
    let model = model(of: id)
    return (model, registry.begins(model) { model.connected() })
  }

  private func model(of id: Int32) -> PartModel {
    if let only = models[id]?.first, only.read.isEmpty { return only.model }
    let wiring = lists.wiring(of: id)
    if let known = models[id]?.first(where: { areEqual($0.read, wiring.read) }) { return known.model }
    let model = PartModel(wiring, registry, path: path + [registry.partCount], name: name)
    models[id, default: []].append((wiring.read, model))
    return model
  }

  func changing(_ path: ArraySlice<Int>, in decision: Int32, _ change: (Int32) -> Int32) -> Int32 {
    let known = all[Int(decision)]
    guard let index = known.parts.firstIndex(where: { $0.number == path.first }) else { return decision }
    var next = known
    next.decisions[index] = known.parts[index].changing(path.dropFirst(), in: known.decisions[index], change)
    return number(of: next)
  }

  func forEachRun(in decision: Int32, _ body: (ModelledRun) -> Void) {
    let known = all[Int(decision)]
    for (part, decision) in zip(known.parts, known.decisions) { part.forEachRun(in: decision, body) }
  }

  func forEachPart(in decision: Int32, _ body: (PartModel) -> Void) {
    let known = all[Int(decision)]
    for (part, decision) in zip(known.parts, known.decisions) { part.forEachPart(in: decision, body) }
  }

  private func number(of decision: Decision) -> Int32 {
    var key: [Int64] = []
    key.reserveCapacity(decision.parts.count)
    for (part, decided) in zip(decision.parts, decision.decisions) {
      key.append(Int64(part.number) << 32 | Int64(decided))
    }
    key.sort()
    if let number = numbers[key] { return number }
    let number = Int32(all.count)
    all.append(decision)
    numbers[key] = number
    return number
  }
}

/// The lists of parts that a lifetime meets, and their ids, as numbers.
protocol PartLists: AnyObject {
  /// The ids of the parts that differ from those in the state in which the last decision was made, and some more; `nil` if
  /// that is unknown, or one is gone.
  func touched(_ lookBack: (() -> Void) -> Void) -> [Int32]?
  /// The number of the list of parts in the state that is looked at.
  func present() -> Int32
  /// The numbers of the ids in a list.
  func ids(in list: Int32) -> [Int32]
  /// Calls the closure with a store of a part that is present.
  func wiring(of id: Int32) -> Wiring
}

/// The lists of a lifetime, with the type of the ids.
final class WiredPartLists<Wired: WiredLifetime>: PartLists {
  private let wired: Wired
  private var last: (ids: [Wired.ID], list: Int32)?
  private var ids: [Wired.ID] = []
  private var idNumbers: [Wired.ID: Int32] = [:]
  private var lists: [[Int32]] = []
  private var listNumbers: [[Int32]: Int32] = [:]

  init(_ wired: Wired) { self.wired = wired }

  func touched(_ lookBack: (() -> Void) -> Void) -> [Int32]? {
    var former: Revision?
    lookBack { former = wired.touched(nil).now }
    guard let former, let ids = wired.touched(former).ids else { return nil }
    var numbers: [Int32] = []
    for index in 0..<ids.count { numbers.append(number(of: ids[index])) }
    return numbers
  }

  func present() -> Int32 {
    let ids = wired.ids()
    if let last, last.ids == ids { return last.list }
    let numbers = ids.map(number)
    let list = listNumbers[numbers] ?? Int32(lists.count)
    if list == lists.count {
      lists.append(numbers)
      listNumbers[numbers] = list
    }
    last = (ids, list)
    return list
  }

  func ids(in list: Int32) -> [Int32] { lists[Int(list)] }

  func wiring(of id: Int32) -> Wiring { wired.wiring(ids[Int(id)]) }

  private func number(of id: Wired.ID) -> Int32 {
    if let number = idNumbers[id] { return number }
    let number = Int32(ids.count)
    ids.append(id)
    idNumbers[id] = number
    return number
  }
}
