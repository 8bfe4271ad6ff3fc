/// The story of a counterexample, as an explorer printed it.
package struct PrintedStory {
  /// The moves in words, without what they change.
  package let moves: [String]

  package init(_ text: String) {
    moves = text.split(separator: "\n").compactMap {
      $0.wholeMatch(of: /\s+\d+\.\s(.*)/).map { String($0.1) }
    }
  }
}
