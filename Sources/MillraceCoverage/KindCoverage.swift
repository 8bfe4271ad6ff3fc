/// What came of the runs of one kind of request, in tests.
package struct KindCoverage: Codable, Sendable, Equatable {
  package var runs = 0
  /// The cases of the actions that were sent.
  package var sent: Set<String> = []
  package var returned = 0
  package var failed = 0
  package var stopped = 0

  package init() {}

  package mutating func merge(_ other: KindCoverage) {
    runs += other.runs
    sent.formUnion(other.sent)
    returned += other.returned
    failed += other.failed
    stopped += other.stopped
  }

  /// What happened, in words.
  var text: String {
    let ends = [(returned, "returned"), (failed, "failed"), (stopped, "stopped")]
    let parts =
      [sent.isEmpty ? nil : "sent \(sent.sorted().joined(separator: ", "))"]
      + ends.map { count, word in count > 0 ? "\(word) \(count)" : nil }
    return (["\(runs) run\(runs == 1 ? "" : "s")"] + parts.compactMap(\.self)).joined(separator: "; ")
  }
}
