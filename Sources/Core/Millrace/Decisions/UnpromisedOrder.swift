/// The order of things for which none is promised. It is the given order or, with a seed, a random one, so that no test
/// relies on it.
struct UnpromisedOrder {
  private var random: SplitMix64?

  /// - Parameter seed: the seed of the random order; `nil` keeps the given order.
  init(seed: UInt64?) { random = seed.map { SplitMix64(seed: $0) } }

  var isShuffled: Bool { random != nil }

  mutating func arrange<Element>(_ elements: inout [Element]) {
    if random != nil { elements.shuffle(using: &random!) }
  }
}
