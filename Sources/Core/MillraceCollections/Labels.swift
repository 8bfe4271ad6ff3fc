/// The labels of items: numbers with wide gaps, so that a new item fits between any two.
///
/// Each insertion at the same position halves the gap there. When no gap is left, labels are spread evenly within the
/// smallest interval around the position that is sparse enough. The required sparseness depends on the length of the
/// interval. An insertion then changes amortised O(log n) labels (Bender et al., "Two simplified algorithms for
/// maintaining order in a list").
enum Labels {
  static let first: UInt64 = 1 << 63
  static let gapBits = 32
  static let gap: UInt64 = 1 << gapBits

  /// The label of the item at `position` in a collection that is made at once.
  static func initial(at position: Int) -> UInt64 { first + UInt64(position) * gap }

  /// The position of the item with this label in a collection that is made at once.
  static func position(ofInitial label: UInt64) -> Int { Int((label - first) / gap) }

  /// A label between those of two neighbours; `nil` if there is none.
  static func between(_ before: UInt64?, _ after: UInt64?) -> UInt64? {
    switch (before, after) {
    case (nil, nil): return first
    case (let before?, nil) where before < .max - gap: return before + gap
    case (nil, let after?) where after > gap: return after - gap
    default:
      let low = before ?? 0
      let high = after ?? .max
      let middle = low + (high - low) / 2
      return middle > low ? middle : nil
    }
  }

  /// The items whose labels must change to make room beside `label`: the position of the first, and the new labels.
  static func spread(around label: UInt64, in tree: OrderTree) -> (start: Int, labels: [UInt64]) {
    var capacity = 1.0
    for bits in UInt64(1)..<63 {
      capacity *= 2 / 1.4
      let low = label & ~((1 << bits) - 1)
      let start = tree.position(of: low)
      let (end, isPastAll) = low.addingReportingOverflow(1 << bits)
      let count = (isPastAll ? tree.count : tree.position(of: end)) - start
      let step = (1 << bits) / UInt64(count + 1)
      guard Double(count + 1) <= capacity, step >= 4 else { continue }
      return (start, (0..<UInt64(count)).map { low + $0 * step + step / 2 })
    }
    // All items, spread around the middle.
    let count = UInt64(tree.count)
    return (0, (0..<count).map { first - count / 2 * gap + $0 * gap })
  }
}
