/// The elements of a reordered sequence that kept their order: the longest rising subsequence of their former
/// positions. The others were moved.
enum KeptOrder {
  /// The indices of `positions` that are part of the subsequence.
  ///
  /// - Complexity: O(n log n)
  static func indices(in positions: [Int]) -> Set<Int> {
    // tails[n]: the index at which a rising subsequence of n + 1 elements ends, the one with the least end.
    var tails: [Int] = []
    var before = [Int?](repeating: nil, count: positions.count)
    for (index, position) in positions.enumerated() {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if positions[tails[middle]] < position { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var kept: Set<Int> = []
    var next = tails.last
    while let index = next {
      kept.insert(index)
      next = before[index]
    }
    return kept
  }
}
