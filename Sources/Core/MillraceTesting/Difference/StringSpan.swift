/// The parts in which two strings differ: what is between their common beginning and their common end.
struct StringSpan {
  let old: Range<String.Index>
  let new: Range<String.Index>

  /// The number of equal characters with different bytes that are skipped before one counts as a difference.
  private static let mostRespelled = 1000

  /// - Complexity: O(n), eight bytes at a time.
  init(_ old: String, _ new: String) {
    var (oldStart, newStart) = (old.startIndex, new.startIndex)
    for _ in 0..<Self.mostRespelled {
      let common = Self.common(old[oldStart...], new[newStart...])
      (oldStart, newStart) = Self.aligned(
        (old, oldStart, Self.characterBefore(common.prefix, in: old, after: oldStart)),
        (new, newStart, Self.characterBefore(common.prefix, in: new, after: newStart)))
      let stop = oldStart
      while oldStart < old.endIndex, newStart < new.endIndex, old[oldStart] == new[newStart] {
        (oldStart, newStart) = (old.index(after: oldStart), new.index(after: newStart))
      }
      if oldStart == stop { break }
    }
    let common = Self.common(old[oldStart...], new[newStart...])
    let ends = (
      Self.end(of: old, common.suffix, after: oldStart), Self.end(of: new, common.suffix, after: newStart)
    )
    // If the common end begins within a character of one string only, it does not count.
    let isWhole = old[ends.0...].utf8.count == new[ends.1...].utf8.count
    self.old = oldStart..<(isWhole ? ends.0 : old.endIndex)
    self.new = newStart..<(isWhole ? ends.1 : new.endIndex)
  }

  private static func common(_ old: Substring, _ new: Substring) -> CommonBytes {
    var (old, new) = (old, new)
    return old.withUTF8 { old in
      new.withUTF8 { CommonBytes(UnsafeRawBufferPointer(old), UnsafeRawBufferPointer($0)) }
    }
  }

  /// The character before an offset in UTF-8. A combining mark after the offset is then compared together with its
  /// letter.
  private static func characterBefore(
    _ offset: Int, in text: String, after start: String.Index
  ) -> String.Index {
    let character = beginning(of: text.utf8.index(start, offsetBy: offset), in: text)
    return character > start ? Swift.max(start, text.index(before: character)) : start
  }

  /// The last position up to `found` at which a character begins in both texts. Their bytes are equal from `start` on.
  private static func aligned(
    _ old: (text: String, start: String.Index, found: String.Index),
    _ new: (text: String, start: String.Index, found: String.Index)
  ) -> (String.Index, String.Index) {
    var (oldFound, newFound) = (old.found, new.found)
    while true {
      let oldOffset = old.text.utf8.distance(from: old.start, to: oldFound)
      let newOffset = new.text.utf8.distance(from: new.start, to: newFound)
      if oldOffset == newOffset { return (oldFound, newFound) }
      if oldOffset > newOffset {
        oldFound = beginning(of: old.text.utf8.index(old.start, offsetBy: newOffset), in: old.text)
      } else {
        newFound = beginning(of: new.text.utf8.index(new.start, offsetBy: oldOffset), in: new.text)
      }
    }
  }

  /// The beginning of the last `suffix` bytes, moved forward to the beginning of a character.
  private static func end(of text: String, _ suffix: Int, after start: String.Index) -> String.Index {
    let index = text.utf8.index(text.endIndex, offsetBy: -suffix)
    let character = beginning(of: index, in: text)
    return character == index ? index : text.index(after: character)
  }

  /// The beginning of the character that contains an index.
  private static func beginning(of index: String.Index, in text: String) -> String.Index {
    index == text.endIndex ? index : text.index(before: text.index(after: index))
  }
}
