/// A move by its place among the moves of its part.
struct PartMove: Hashable {
  let part: Int
  let index: Int
}

/// Moves of parts that need not be made in a state, since they are made in others: those are asleep. Pure.
struct SleepSet: Equatable {
  /// For each part, a bit for each of its moves. Those from the 65th on have none, and are always awake.
  fileprivate var bits: [UInt64]

  init(parts: Int) { bits = Array(repeating: 0, count: parts) }
  fileprivate init(bits: some Sequence<UInt64>) { self.bits = Array(bits) }

  func contains(_ move: PartMove) -> Bool { bits[move.part] & 1 << move.index != 0 }

  mutating func insert(_ move: PartMove) { bits[move.part] |= 1 << move.index }

  /// What sleeps after a move of a part: the moves of the others. After a move of no part nothing does.
  func after(_ part: Int?) -> SleepSet {
    guard let part else { return SleepSet(parts: bits.count) }
    var others = self
    others.bits[part] = 0
    return others
  }

  /// The moves, by part.
  var moves: [PartMove] {
    bits.indices.flatMap { part in
      (0..<64).filter { bits[part] & 1 << $0 != 0 }.map { PartMove(part: part, index: $0) }
    }
  }
}

/// The moves that are asleep in each state, by the states' numbers. Pure.
struct SleepSets {
  private let parts: Int
  private var bits: ContiguousArray<UInt64> = []

  /// Nothing sleeps in the initial state.
  init(parts: Int) {
    self.parts = parts
    reached(0, SleepSet(parts: parts))
  }

  subscript(state: Int) -> SleepSet { SleepSet(bits: bits[state * parts..<(state + 1) * parts]) }

  /// A state was reached on a shortest way, after which these moves sleep. What sleeps after each such way sleeps in the
  /// state.
  ///
  /// - Parameter state: a state that is there, or the next one.
  mutating func reached(_ state: Int, _ set: SleepSet) {
    if state * parts == bits.count {
      bits += set.bits
      return
    }
    for part in 0..<parts { bits[state * parts + part] &= set.bits[part] }
  }
}
