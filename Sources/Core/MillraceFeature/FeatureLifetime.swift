import Millrace

/// A connected lifetime in a ``FeaturePart``, as a value: the parts of the state that have begun and not ended.
///
/// Outside of the runtime, only this type decides when parts begin and end.
struct FeatureLifetime {
  private let source: any PartSource
  /// The ids of the parts; `nil` before the lifetime is connected.
  private var ids: [Int32]?
  private(set) var parts: [FeaturePart] = []

  init(_ wired: some WiredLifetime, _ context: FeatureContext, path: [Int]) {
    source = WiredPartSource(wired, context, path)
  }

  var connection: ConnectionIdentity { source.connection }

  /// - Returns: the new value; `nil` if nothing is decided.
  func sliceChanged(_ turn: inout FeatureTurn) -> FeatureLifetime? {
    if let ids, let touched = source.touched(), touched.allSatisfy(ids.contains) {
      return partsChanged(&turn) { touched.contains(ids[$0]) }
    }
    let present = source.present()
    return present == ids ? partsChanged(&turn) { _ in true } : partsChanged(to: present, &turn)
  }

  func ended(_ turn: inout FeatureTurn) -> FeatureLifetime { partsChanged(to: [], &turn) }

  /// No part has begun or ended. Steps the parts that may have changed.
  private func partsChanged(_ turn: inout FeatureTurn, where mayHaveChanged: (Int) -> Bool)
    -> FeatureLifetime?
  {
    var next: FeatureLifetime?
    for index in parts.indices where mayHaveChanged(index) {
      guard let part = parts[index].sliceChanged(&turn) else { continue }
      if next == nil { next = self }
      next?.parts[index] = part
    }
    return next
  }

  /// The state has exactly the parts `present`. Parts that are gone end first; then the others continue or begin, in
  /// order.
  private func partsChanged(to present: [Int32], _ turn: inout FeatureTurn) -> FeatureLifetime {
    let remaining = Set(present)
    var known: [Int32: FeaturePart] = [:]
    for (id, part) in zip(ids ?? [], parts) {
      if remaining.contains(id) { known[id] = part } else { part.ended(&turn) }
    }
    var next = self
    next.ids = present
    next.parts = present.map { id in
      if let part = known[id] { return part.sliceChanged(&turn) ?? part }
      var part = source.part(of: id)
      part.began(&turn)
      return part
    }
    return next
  }

  /// Changes the part with a number, if it still exists. Searches by bisection, since parts are mostly in the order of
  /// their numbers.
  mutating func changePart(_ number: Int, _ body: (inout FeaturePart) -> Void) {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].number < number { low = middle + 1 } else { high = middle }
    }
    if low < parts.count, parts[low].number == number { return body(&parts[low]) }
    if let index = parts.firstIndex(where: { $0.number == number }) { body(&parts[index]) }
  }

  mutating func changeParts(_ body: (inout FeaturePart) -> Void) {
    for index in parts.indices { body(&parts[index]) }
  }
}

/// Finds the parts of the state that belong to a lifetime. Their ids are numbers, so that a step looks up no generic
/// type.
private protocol PartSource: AnyObject {
  var connection: ConnectionIdentity { get }
  /// The parts that have changed since the last decision, and possibly others; `nil` if that is unknown, or if a part
  /// is gone.
  func touched() -> [Int32]?
  /// The parts in the current state.
  func present() -> [Int32]
  /// Makes a part before its connections are made.
  func part(of id: Int32) -> FeaturePart
}

private final class WiredPartSource<Wired: WiredLifetime>: PartSource {
  private let wired: Wired
  private let context: FeatureContext
  private let path: [Int]
  private var last: (ids: [Wired.ID], numbers: [Int32]) = ([], [])
  private var ids: [Wired.ID] = []
  private var numbers: [Wired.ID: Int32] = [:]
  /// The parts that the closure makes for each id. There are several only if the closure reads the state.
  private var known: [Int32: [(read: [any Sendable], part: FeaturePart)]] = [:]

  init(_ wired: Wired, _ context: FeatureContext, _ path: [Int]) {
    (self.wired, self.context, self.path) = (wired, context, path)
  }

  var connection: ConnectionIdentity { wired.identity }

  func touched() -> [Int32]? {
    guard let lookBack = context.lookBack else { return nil }
    var former: Revision?
    lookBack { former = wired.revision }
    guard let former, let ids = wired.idsTouched(since: former) else { return nil }
    var numbers: [Int32] = []
    for index in 0..<ids.count { numbers.append(number(of: ids[index])) }
    return numbers
  }

  func present() -> [Int32] {
    let ids = wired.ids()
    if last.ids != ids { last = (ids, ids.map(number)) }
    return last.numbers
  }

  private func number(of id: Wired.ID) -> Int32 {
    if let number = numbers[id] { return number }
    let number = Int32(ids.count)
    ids.append(id)
    numbers[id] = number
    return number
  }

  func part(of id: Int32) -> FeaturePart {
    if let only = known[id]?.first, only.read.isEmpty { return only.part }
    let wiring = wired.wiring(of: ids[Int(id)])
    if let known = known[id]?.first(where: { areEqual($0.read, wiring.read) }) { return known.part }
    let part = FeaturePart(wiring, context, path: path + [context.partCount], name: wired.identity.name)
    if context.recallsParts { known[id, default: []].append((wiring.read, part)) }
    return part
  }
}

/// Whether two lists of states are equal. States that are not `Equatable` are equal to none.
package func areEqual(_ left: [any Sendable], _ right: [any Sendable]) -> Bool {
  func equal<Value: Equatable>(_ left: Value, _ right: any Sendable) -> Bool { left == right as? Value }
  return left.count == right.count
    && zip(left, right).allSatisfy { one, other in (one as? any Equatable).map { equal($0, other) } ?? false }
}
