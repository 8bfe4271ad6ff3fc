/// The parts in which two strings differ: what is between their common beginning and their common end. Characters are
/// compared whole, however they are spelled.
struct StringSpan {
  let old: Range<String.Index>
  let new: Range<String.Index>

  /// - Complexity: O(n)
  init(_ old: String, _ new: String) {
    var (oldStart, newStart) = (old.startIndex, new.startIndex)
    while oldStart < old.endIndex, newStart < new.endIndex, old[oldStart] == new[newStart] {
      old.formIndex(after: &oldStart)
      new.formIndex(after: &newStart)
    }
    var (oldEnd, newEnd) = (old.endIndex, new.endIndex)
    while oldEnd > oldStart, newEnd > newStart {
      let (oldLast, newLast) = (old.index(before: oldEnd), new.index(before: newEnd))
      if old[oldLast] != new[newLast] { break }
      (oldEnd, newEnd) = (oldLast, newLast)
    }
    self.old = oldStart..<oldEnd
    self.new = newStart..<newEnd
  }
}
