/// The shortest list of removals and insertions that makes one sequence of another, by Myers' algorithm.
struct EditScript {
  /// A place where elements were removed, others inserted, or both.
  struct Hunk: Equatable {
    var removed: Range<Int>
    var inserted: Range<Int>
  }

  /// The hunks in ascending order.
  private(set) var hunks: [Hunk] = []

  /// Compares the ranges of two sequences by their indices. `nil` if more than `limit` removals and insertions are
  /// needed, or more than `work` comparisons.
  ///
  /// - Complexity: O((n + d) d) comparisons for d removals and insertions among n elements.
  init?(
    old: Range<Int>, new: Range<Int>, limit: Int, work: Int = .max, areEqual: (Int, Int) -> Bool
  ) {
    guard let trace = Self.trace(old, new, limit, work, areEqual) else { return nil }
    var (x, y) = (old.count, new.count)
    var edits: [Hunk] = []
    for (distance, ends) in trace.enumerated().reversed() where distance > 0 {
      let diagonal = x - y
      let isInsertion = Self.isInsertion(diagonal, distance, ends)
      let previous = diagonal + (isInsertion ? 1 : -1)
      let endX = ends[previous + distance]
      let endY = endX - previous
      // The edit starts where the previous diagonal ended; equal elements follow it.
      let (at, to) = (old.lowerBound + endX, new.lowerBound + endY)
      edits.append(
        Hunk(removed: at..<(isInsertion ? at : at + 1), inserted: to..<(isInsertion ? to + 1 : to)))
      (x, y) = (endX, endY)
    }
    for edit in edits.reversed() { append(edit) }
  }

  /// The hunks of two sequences, in time proportional to their lengths. Returns a single hunk of everything from 400
  /// removals and insertions on, or if the search takes too many comparisons.
  static func hunks(old: Range<Int>, new: Range<Int>, areEqual: (Int, Int) -> Bool) -> [Hunk] {
    if old.isEmpty, new.isEmpty { return [] }
    let work = 500_000 + 8 * (old.count + new.count)
    return EditScript(old: old, new: new, limit: 400, work: work, areEqual: areEqual)?.hunks
      ?? [Hunk(removed: old, inserted: new)]
  }

  /// Joins adjacent hunks.
  private mutating func append(_ edit: Hunk) {
    if let last = hunks.last, last.removed.upperBound == edit.removed.lowerBound,
      last.inserted.upperBound == edit.inserted.lowerBound
    {
      hunks[hunks.count - 1] = Hunk(
        removed: last.removed.lowerBound..<edit.removed.upperBound,
        inserted: last.inserted.lowerBound..<edit.inserted.upperBound)
    } else {
      hunks.append(edit)
    }
  }

  /// For each distance, how far each diagonal of the previous distance reaches in `old`. Diagonal k has index k +
  /// distance.
  private static func trace(
    _ old: Range<Int>, _ new: Range<Int>, _ limit: Int, _ work: Int, _ areEqual: (Int, Int) -> Bool
  ) -> [[Int]]? {
    var left = work
    var trace: [[Int]] = []
    var ends: [Int] = []
    for distance in 0...limit {
      // Adds one diagonal on each side.
      ends = distance == 0 ? [0] : [Int.min] + ends + [Int.min]
      trace.append(ends)
      var next = ends
      for diagonal in stride(from: -distance, through: distance, by: 2) {
        var x = 0
        if distance > 0 {
          x =
            isInsertion(diagonal, distance, ends)
            ? ends[diagonal + 1 + distance] : ends[diagonal - 1 + distance] + 1
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
        next[diagonal + distance] = x
        if diagonal == old.count - new.count, x >= old.count { return trace }
      }
      ends = next
    }
    return nil
  }

  /// Whether the farthest path on a diagonal ends with an insertion, from the diagonal above.
  private static func isInsertion(_ diagonal: Int, _ distance: Int, _ ends: [Int]) -> Bool {
    if diagonal == -distance { return true }
    if diagonal == distance { return false }
    return ends[diagonal - 1 + distance] < ends[diagonal + 1 + distance]
  }
}
