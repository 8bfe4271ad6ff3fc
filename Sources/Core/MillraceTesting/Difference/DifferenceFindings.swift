/// The differences found so far: the number of all, and the text of the first ones.
struct DifferenceFindings {
  let wording: DifferenceWording
  let limit: Int
  private(set) var count = 0
  private(set) var lines: [String] = []
  /// The part of the value that each line concerns.
  private(set) var places: [String] = []

  /// Whether the next finding gets a text.
  var isShowingMore: Bool { lines.count < limit }

  /// Records one difference. Only a difference that is shown gets a text, since values can be large.
  mutating func found(_ finding: DifferenceFinding, at path: DifferencePath) {
    count += 1
    guard isShowingMore else { return }
    lines.append(wording.line(for: finding, at: path))
    places.append(path.place)
  }
}
