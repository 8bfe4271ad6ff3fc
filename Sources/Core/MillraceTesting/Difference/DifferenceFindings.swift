/// The differences found so far: the first ones in words, all of them counted.
struct DifferenceFindings {
  let wording: DifferenceWording
  let limit: Int
  private(set) var count = 0
  private(set) var lines: [String] = []
  /// The part of the value that each line is about.
  private(set) var places: [String] = []

  init(wording: DifferenceWording, limit: Int) {
    self.wording = wording
    self.limit = limit
  }

  /// Whether the next finding is put in words.
  var isShowingMore: Bool { lines.count < limit }

  /// Records one difference. Only differences that are shown are put in words, since values can be large.
  mutating func found(_ finding: DifferenceFinding, at path: DifferencePath) {
    count += 1
    guard isShowingMore else { return }
    lines.append(wording.line(for: finding, at: path))
    places.append(path.place)
  }
}
