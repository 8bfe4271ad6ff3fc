/// The order of what has no promised order: as it comes or, with a seed, shuffled, so that nothing comes to rely on it.
struct UnpromisedOrder {
  private var random: SplitMix64?

  /// - Parameter seed: what the order is computed from; `nil` leaves everything as it comes.
  init(seed: UInt64?) { random = seed.map { SplitMix64(seed: $0) } }

  var isShuffled: Bool { random != nil }

  mutating func arrange<Element>(_ elements: inout [Element]) {
    guard random != nil, elements.count > 1 else { return }
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, Int((random?.next() ?? 0) % UInt64(last + 1)))
    }
  }
}
