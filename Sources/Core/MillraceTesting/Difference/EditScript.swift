/// The shortest list of removals and insertions that makes one sequence of another, by Myers' algorithm.
enum EditScript {
  /// A place where elements were removed, others inserted, or both.
  struct Hunk: Equatable {
    var removed: Range<Int>
    var inserted: Range<Int>
  }

  /// The hunks of two sequences, in ascending order, in time proportional to their lengths. Beyond 400 removals and
  /// insertions, or if the search takes too many comparisons, returns a single hunk of everything between the common
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
    // For each diagonal: how far it reaches in `old`, and its last edit, which refers to the edit before.
    var ends: [Int: (x: Int, edit: Int?)] = [:]
    var edits: [(hunk: Hunk, previous: Int?)] = []
    var left = work
    for distance in 0...limit {
      for diagonal in stride(from: -distance, through: distance, by: 2) {
        var (x, edit) = (0, Int?.none)
        if let above = ends[diagonal + 1], above.x > ends[diagonal - 1]?.x ?? -1 {
          x = above.x
          edit = edits.count
          let (place, next) = (old.lowerBound + x, new.lowerBound + x - diagonal - 1)
          edits.append((Hunk(removed: place..<place, inserted: next..<next + 1), above.edit))
        } else if let below = ends[diagonal - 1] {
          x = below.x + 1
          edit = edits.count
          let (place, next) = (old.lowerBound + below.x, new.lowerBound + x - diagonal)
          edits.append((Hunk(removed: place..<place + 1, inserted: next..<next), below.edit))
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
        if diagonal == old.count - new.count, x >= old.count { return hunks(edits, to: edit) }
        ends[diagonal] = (x, edit)
      }
    }
    return nil
  }

  /// The hunks of the edits up to one of them, the adjacent ones joined.
  private static func hunks(_ edits: [(hunk: Hunk, previous: Int?)], to last: Int?) -> [Hunk] {
    var hunks: [Hunk] = []
    var edit = last
    while let index = edit {
      var hunk = edits[index].hunk
      if let next = hunks.last, next.removed.lowerBound == hunk.removed.upperBound,
        next.inserted.lowerBound == hunk.inserted.upperBound
      {
        hunk.removed = hunk.removed.lowerBound..<next.removed.upperBound
        hunk.inserted = hunk.inserted.lowerBound..<next.inserted.upperBound
        hunks.removeLast()
      }
      hunks.append(hunk)
      edit = edits[index].previous
    }
    return hunks.reversed()
  }
}
