/// A line such as `linkcheck: 12 of 40 checked, 12 saved, 2 in trouble`.
struct ProgressLine: Equatable {
  var checked: Int
  var known: Int
  var saved: Int

  init?(_ line: String) {
    guard let match = line.firstMatch(of: /(\d+) of (\d+) checked, (\d+) saved/),
      let checked = Int(match.1), let known = Int(match.2), let saved = Int(match.3)
    else { return nil }
    (self.checked, self.known, self.saved) = (checked, known, saved)
  }
}
