import Millrace
import MillraceFeature

/// A lifetime as a machine of numbered decisions: which parts are alive, and what is decided in each. Without the type of
/// the ids, so that no type is looked up in each move.
final class LifetimeModel: DecidingModel {
  private struct Decision {
    /// The number of the list of ids.
    var list: Int32
    var live = LiveParts<Int32, Part>()
  }

  private struct Part {
    let model: PartModel
    var decision: Int32
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

  func connected() -> Int32 { next(after: Decision(list: -1), in: lists.present()) }

  func next(after decision: Int32) -> Int32 {
    let known = all[Int(decision)]
    if registry.keepsDecisions, let touched = lists.touched(registry.lookBack),
      touched.allSatisfy(known.live.ids.contains)
    {
      return next(after: known, decision) { touched.contains(known.live.ids[$0]) }
    }
    let list = lists.present()
    if list != known.list { return next(after: known, in: list) }
    return next(after: known, decision) { _ in true }
  }

  /// The decision while the same parts are alive, of which some may have changed.
  private func next(
    after known: Decision, _ decision: Int32, where mayHaveChanged: (Int) -> Bool
  ) -> Int32 {
    var (next, isChanged) = (known, false)
    for index in known.live.parts.indices where mayHaveChanged(index) {
      let part = known.live.parts[index]
      let decided = part.model.next(after: part.decision)
      if decided == part.decision { continue }
      next.live.change(index) { $0.decision = decided }
      isChanged = true
    }
    return isChanged ? number(of: next) : decision
  }

  /// The decision once other parts are alive.
  private func next(after known: Decision, in list: Int32) -> Int32 {
    var next = known
    next.list = list
    next.live.partsChanged(
      to: lists.ids(in: list), ended: { _ in }, kept: { $0.decision = $0.model.next(after: $0.decision) },
      began: { id in
        let model = model(of: id)
        return Part(model: model, decision: registry.begins(model) { model.connected() })
      })
    return number(of: next)
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
    var next = all[Int(decision)]
    guard let index = next.live.parts.firstIndex(where: { $0.model.number == path.first }) else {
      return decision
    }
    next.live.change(index) {
      $0.decision = $0.model.changing(path.dropFirst(), in: $0.decision, change)
    }
    return number(of: next)
  }

  func forEachRun(in decision: Int32, _ body: (ModelledRun) -> Void) {
    for part in all[Int(decision)].live.parts { part.model.forEachRun(in: part.decision, body) }
  }

  func forEachPart(in decision: Int32, _ body: (PartModel) -> Void) {
    for part in all[Int(decision)].live.parts { part.model.forEachPart(in: part.decision, body) }
  }

  private func number(of decision: Decision) -> Int32 {
    var key: [Int64] = []
    key.reserveCapacity(decision.live.parts.count)
    for part in decision.live.parts { key.append(Int64(part.model.number) << 32 | Int64(part.decision)) }
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
