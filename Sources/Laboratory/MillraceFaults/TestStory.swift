/// What has happened in a test, in words. Pure.
struct TestStory {
  /// The actions, and the faults that struck.
  private(set) var steps: [String] = []
  /// The invariants that did not hold, each with the number of steps before.
  private(set) var broken: [(name: String, steps: Int)] = []

  mutating func tell(_ text: String) { steps.append(text) }

  /// An invariant does not hold. Only the first time is noted.
  mutating func broke(_ name: String) {
    if !broken.contains(where: { $0.name == name }) { broken.append((name, steps.count)) }
  }
}
