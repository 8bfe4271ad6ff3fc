/// The text of a heading, without emphasis marks, images and the like.
///
/// Pairs the marks as CommonMark does, in time proportional to their number: a search that failed below a place is not
/// repeated.
struct MarkdownEmphasis {
  /// A position in the text.
  struct Place {
    fileprivate var text: Int
    fileprivate var runs: Int
  }

  /// A run of marks.
  private struct Run {
    var mark: UInt8
    /// The remaining marks, by their positions in the text.
    var left: Range<Int>
    let count: Int
    let canOpen: Bool
    let canClose: Bool

    /// Whether the run begins an emphasis that `closing` ends. If a run could do both, it does neither if the lengths
    /// add up to a multiple of three.
    func opens(_ closing: Run) -> Bool {
      mark == closing.mark
        && !((canClose || closing.canOpen) && closing.count % 3 != 0 && (count + closing.count) % 3 == 0)
    }
  }

  private struct Kind: Hashable {
    var mark: UInt8
    var canOpen: Bool
    var count: Int
  }

  private var text: [UInt8] = []
  private var runs: [Run] = []
  /// The ranges that are not part of the text.
  private var removed: [Range<Int>] = []

  var place: Place { Place(text: text.count, runs: runs.count) }

  mutating func append(_ bytes: ArraySlice<UInt8>) { text += bytes }
  mutating func append(_ string: String) { text += string.utf8 }

  /// Appends a run of marks. The characters around it decide whether it may begin or end an emphasis.
  mutating func append(_ range: Range<Int>, of bytes: ArraySlice<UInt8>) {
    let before = Self.kind(
      String(decoding: bytes[..<range.lowerBound].suffix(4), as: UTF8.self).unicodeScalars.last)
    let after = Self.kind(
      String(decoding: bytes[range.upperBound...].prefix(4), as: UTF8.self).unicodeScalars.first)
    let isLeft = after != .space && (after != .punctuation || before != .letter)
    let isRight = before != .space && (before != .punctuation || after != .letter)
    let isWord = bytes[range.lowerBound] == UInt8(ascii: "_")
    let start = text.count
    text += bytes[range]
    runs.append(
      Run(
        mark: bytes[range.lowerBound], left: start..<text.count, count: range.count,
        canOpen: isLeft && (!isWord || !isRight || before == .punctuation),
        canClose: isRight && (!isWord || !isLeft || after == .punctuation)))
  }

  /// Removes everything appended after `place`, such as an image.
  mutating func remove(from place: Place) {
    removed.append(place.text..<text.count)
    runs.removeLast(runs.count - place.runs)
  }

  /// Pairs the marks after `place`, which is the opening bracket of a link; all marks if `place` is `nil`.
  mutating func end(from place: Place?) {
    if let place { removed.append(place.text..<place.text + 1) }
    var openers: [Run] = []
    /// For each kind of closing run, the position below which nothing opens it.
    var bottoms: [Kind: Int] = [:]
    for var run in runs[(place?.runs ?? 0)...] {
      let kind = Kind(mark: run.mark, canOpen: run.canOpen, count: run.count % 3)
      while run.canClose, !run.left.isEmpty {
        let bottom = bottoms[kind, default: 0]
        guard
          let index = openers.lastIndex(where: { $0.left.lowerBound < bottom || $0.opens(run) }),
          openers[index].left.lowerBound >= bottom
        else {
          bottoms[kind] = run.left.lowerBound
          break
        }
        openers.removeLast(openers.count - index - 1)
        let count = min(openers[index].left.count, run.left.count, 2)
        let opening = openers[index].left
        removed.append(opening.upperBound - count..<opening.upperBound)
        removed.append(run.left.lowerBound..<run.left.lowerBound + count)
        openers[index].left = opening.lowerBound..<opening.upperBound - count
        run.left = run.left.lowerBound + count..<run.left.upperBound
        if openers[index].left.isEmpty { openers.removeLast() }
      }
      if run.canOpen, !run.left.isEmpty { openers.append(run) }
    }
    if let place { runs.removeLast(runs.count - place.runs) } else { runs = [] }
  }

  /// The text without the removed ranges.
  var plain: String {
    var output: [UInt8] = []
    var index = 0
    for range in removed.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > index {
      output += text[index..<max(index, range.lowerBound)]
      index = range.upperBound
    }
    return String(decoding: output + text[index...], as: UTF8.self)
  }

  private enum Neighbour { case space, punctuation, letter }

  private static func kind(_ scalar: Unicode.Scalar?) -> Neighbour {
    guard let scalar, !scalar.properties.isWhitespace else { return .space }
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
      return .punctuation
    default: return .letter
    }
  }
}
