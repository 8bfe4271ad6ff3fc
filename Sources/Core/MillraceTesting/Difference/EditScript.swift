/// The shortest list of removals and insertions that makes one sequence of another, by Myers' algorithm.
enum EditScript {
  /// A place where elements were removed, others inserted, or both.
  struct Hunk: Equatable {
    var removed: Range<Int>
    var inserted: Range<Int>
  }

  /// The hunks of two sequences, in ascending order, in time proportional to their lengths. From 400 removals and
  /// insertions on, or if the search takes too many comparisons, returns a single hunk of everything between the common
  /// beginning and the common end.
  static func hunks(old: Range<Int>, new: Range<Int>, areEqual: (Int, Int) -> Bool) -> [Hunk] {
    var (start, end) = (0, 0)
    let shorter = min(old.count, new.count)
    while start < shorter, areEqual(old.lowerBound + start, new.lowerBound + start) { start += 1 }
    while end < shorter - start, areEqual(old.upperBound - 1 - end, new.upperBound - 1 - end) { end += 1 }
    let old = old.lowerBound + start..<old.upperBound - end
    let new = new.lowerBound + start..<new.upperBound - end
    if old.isEmpty, new.isEmpty { return [] }
    let work = 500_000 + 8 * (old.count + new.count)
    return shortest(old: old, new: new, limit: 400, work: work, areEqual: areEqual)
      ?? [Hunk(removed: old, inserted: new)]
  }

  /// The hunks of the ranges of two sequences; `nil` if more than `limit` removals and insertions are needed, or more
  /// than `work` comparisons.
  ///
  /// - Complexity: O((n + d) d) comparisons for d removals and insertions among n elements.
  static func shortest(
    old: Range<Int>, new: Range<Int>, limit: Int, work: Int = .max, areEqual: (Int, Int) -> Bool
  ) -> [Hunk]? {
    // For each diagonal: how far it reaches in `old`, and the hunks up to there.
    var ends: [Int: (x: Int, hunks: [Hunk])] = [:]
    var left = work
    for distance in 0...limit {
      for diagonal in stride(from: -distance, through: distance, by: 2) {
        var (x, hunks) = (0, [Hunk]())
        if let above = ends[diagonal + 1], above.x > ends[diagonal - 1]?.x ?? -1 {
          (x, hunks) = above
          append(old.lowerBound + x, new.lowerBound + x - diagonal - 1, isInsertion: true, to: &hunks)
        } else if let below = ends[diagonal - 1] {
          (x, hunks) = below
          append(old.lowerBound + x, new.lowerBound + x - diagonal + 1, isInsertion: false, to: &hunks)
          x += 1
        }
        let start = x
        while x < old.count, x - diagonal < new.count,
          areEqual(old.lowerBound + x, new.lowerBound + x - diagonal)
        {
          x += 1
          if x - start > left { return nil }
        }
        left -= x - start + 1
        if left < 0 { return nil }
        if diagonal == old.count - new.count, x >= old.count { return hunks }
        ends[diagonal] = (x, hunks)
      }
    }
    return nil
  }

  /// Appends the removal of the element at `old` or the insertion of the one at `new`, and joins adjacent hunks.
  private static func append(_ old: Int, _ new: Int, isInsertion: Bool, to hunks: inout [Hunk]) {
    var hunk = Hunk(removed: old..<old + (isInsertion ? 0 : 1), inserted: new..<new + (isInsertion ? 1 : 0))
    if let last = hunks.last, last.removed.upperBound == old, last.inserted.upperBound == new {
      hunk = Hunk(
        removed: last.removed.lowerBound..<hunk.removed.upperBound,
        inserted: last.inserted.lowerBound..<hunk.inserted.upperBound)
      hunks.removeLast()
    }
    hunks.append(hunk)
  }
}
