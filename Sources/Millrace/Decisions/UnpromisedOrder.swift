/// The order of what has no promised order: as it comes or, with a seed, shuffled, so that nothing comes to rely on it.
struct UnpromisedOrder {
  private var state: UInt64?

  /// - Parameter seed: what the order is computed from; `nil` leaves everything as it comes.
  init(seed: UInt64?) { state = seed }

  var isShuffled: Bool { state != nil }

  mutating func arrange<Element>(_ elements: inout [Element]) {
    guard state != nil, elements.count > 1 else { return }
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, Int(next() % UInt64(last + 1)))
    }
  }

  /// The next number of SplitMix64.
  private mutating func next() -> UInt64 {
    let seed = (state ?? 0) &+ 0x9E37_79B9_7F4A_7C15
    state = seed
    var mixed = (seed ^ (seed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
