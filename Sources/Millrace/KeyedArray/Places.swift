/// Where the places of new items lie: labels with wide gaps between them, so that an item can be put between
/// any two.
///
/// Inserting at one spot again and again halves the gap there. Once none is left, the places of the smallest
/// stretch around it that is sparse enough are spread evenly; how sparse depends on its length such that an
/// insertion moves amortised O(log n) places (Bender et al., "Two simplified algorithms for maintaining order
/// in a list").
enum Places {
  static let first: UInt64 = 1 << 63
  static let gapBits = 32
  static let gap: UInt64 = 1 << gapBits

  /// A place between two neighbours, nil where there is none.
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

  /// The items to be moved so that there is room beside `place`, and their new places.
  static func spread(around place: UInt64, in tree: OrderTree) -> (start: Int, places: [UInt64]) {
    var capacity = 1.0
    for bits in UInt64(1)..<63 {
      capacity *= 2 / 1.4
      let low = place & ~((1 << bits) - 1)
      let start = tree.position(of: low)
      let (end, isPastAll) = low.addingReportingOverflow(1 << bits)
      let count = (isPastAll ? tree.count : tree.position(of: end)) - start
      let step = (1 << bits) / UInt64(count + 1)
      guard Double(count + 1) <= capacity, step >= 4 else { continue }
      return (start, (0..<UInt64(count)).map { low + $0 * step + step / 2 })
    }
    // Everything, spread around the middle.
    let count = UInt64(tree.count)
    return (0, (0..<count).map { first - count / 2 * gap + $0 * gap })
  }
}
