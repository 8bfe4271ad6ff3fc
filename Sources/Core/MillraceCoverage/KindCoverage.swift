/// The outcomes of the runs of one kind of request, in tests.
package struct KindCoverage: Codable, Sendable, Equatable {
  package var runs = 0
  /// The cases of the actions sent.
  package var sent: Set<String> = []
  /// The runs whose bodies returned while their request was asked for.
  package var finished = 0
  /// The runs whose own action made their request leave the state.
  package var answered = 0
  /// The runs that threw.
  package var failed = 0
  /// The runs whose request left the state by another action.
  package var withdrawn = 0
  /// The runs whose connection or part of the state ended.
  package var disconnected = 0

  /// The runs that were stopped before they had ended by themselves.
  var stopped: Int { withdrawn + disconnected }

  package init() {}

  package mutating func merge(_ other: KindCoverage) {
    runs += other.runs
    sent.formUnion(other.sent)
    finished += other.finished
    answered += other.answered
    failed += other.failed
    withdrawn += other.withdrawn
    disconnected += other.disconnected
  }

  /// The outcomes, in words.
  var text: String {
    let ends = [
      (finished, "finished"), (answered, "answered"), (failed, "failed"), (withdrawn, "withdrawn"),
      (disconnected, "disconnected"),
    ]
    let parts =
      [sent.isEmpty ? nil : "sent \(sent.sorted().joined(separator: ", "))"]
      + ends.map { count, word in count > 0 ? "\(word) \(count)" : nil }
    return (["\(runs) run\(runs == 1 ? "" : "s")"] + parts.compactMap(\.self)).joined(separator: "; ")
  }
}
