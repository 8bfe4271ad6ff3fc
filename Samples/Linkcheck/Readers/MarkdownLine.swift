/// A line of Markdown, and how far it has been read. A tab extends to the next column that is a multiple of four.
struct MarkdownLine {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private var column = 0
  /// The next byte that is not space, and its column.
  private var next: (index: Int, column: Int)

  init(_ bytes: ArraySlice<UInt8>) {
    (self.bytes, index, next) = (bytes, bytes.startIndex, (bytes.startIndex, 0))
    findNext()
  }

  /// The number of columns of space that come next.
  var indent: Int { next.column - column }
  var isBlank: Bool { next.index == bytes.endIndex }
  /// The text after the space.
  var content: ArraySlice<UInt8> { bytes[next.index...] }
  /// The text with the space before it.
  var rest: ArraySlice<UInt8> { bytes[index...] }

  /// Takes the space, and `count` bytes after it.
  mutating func take(_ count: Int) {
    (index, column) = (next.index + count, next.column + count)
    next = (index, column)
    findNext()
  }

  /// Takes at most a number of columns of the space.
  mutating func takeSpace(_ columns: Int) {
    let end = min(column + columns, next.column)
    while column < end {
      let stop = Self.columnAfter(bytes[index], at: column)
      // Takes a part of a tab.
      guard stop <= end else {
        column = end
        return
      }
      (index, column) = (index + 1, stop)
    }
  }

  private mutating func findNext() {
    while next.index < bytes.endIndex, ASCII.isBlank(bytes[next.index]) {
      next = (next.index + 1, Self.columnAfter(bytes[next.index], at: next.column))
    }
  }

  private static func columnAfter(_ space: UInt8, at column: Int) -> Int {
    space == 0x09 ? column / 4 * 4 + 4 : column + 1
  }
}
