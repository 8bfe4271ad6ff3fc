/// The parts in which two strings differ: what is between their common beginning and their common end.
struct StringSpan {
  let old: Range<String.Index>
  let new: Range<String.Index>

  /// How often characters are compared that are equal and made of other bytes, before they count as a difference.
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
    // An end within a character of one of the two is none of the other.
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

  /// One character before an offset in UTF-8, so that a mark after the offset is compared with the letter before it.
  private static func characterBefore(
    _ offset: Int, in text: String, after start: String.Index
  ) -> String.Index {
    let character = beginning(of: text.utf8.index(start, offsetBy: offset), in: text)
    return character > start ? Swift.max(start, text.index(before: character)) : start
  }

  /// The last place not behind `found` at which a character begins in both of two texts, whose bytes are equal from
  /// `start` on.
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

  /// The beginning of the common end of `suffix` bytes, moved to the beginning of a character.
  private static func end(of text: String, _ suffix: Int, after start: String.Index) -> String.Index {
    let index = text.utf8.index(text.endIndex, offsetBy: -suffix)
    let character = beginning(of: index, in: text)
    return character == index ? index : text.index(after: character)
  }

  /// The beginning of the character that an index is in.
  private static func beginning(of index: String.Index, in text: String) -> String.Index {
    index == text.endIndex ? index : text.index(before: text.index(after: index))
  }
}
