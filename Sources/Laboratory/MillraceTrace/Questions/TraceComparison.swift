/// Compares two recordings. Pure.
package enum TraceComparison {
  /// The first action at which the recordings differ, and the differences by cases of actions and by requests.
  package static func compare(_ left: TraceHistory, _ right: TraceHistory) -> TraceAnswer {
    var answer = TraceAnswer()
    var json: JSON = [:]
    if let first = firstDifference(left, right) {
      answer.add("First difference", first)
      json["first"] = .strings(first)
    }
    let kinds = counts(left.kinds, right.kinds)
    answer.add("Actions by case", kinds)
    let requests = counts(requests(left), requests(right))
    answer.add(
      "Requests",
      Array(requests.prefix(30)) + (requests.count > 30 ? ["and \(requests.count - 30) more"] : []))
    if let old = left.snapshots.last, let new = right.snapshots.last {
      let lines = old.state.differences(to: new.state)
      answer.add("The last snapshots, after \(old.sequence) and \(new.sequence)", lines)
      json["states"] = .strings(lines)
    }
    answer.isNegative = !answer.sections.isEmpty
    if !answer.isNegative {
      let counts = "\(left.actions.count) actions and \(left.runs.count) runs"
      answer.add("The same", ["\(counts), whatever their times and their order within a turn"])
    }
    json["kinds"] = .strings(kinds)
    json["requests"] = .strings(requests)
    answer.json = json
    return answer
  }

  private static func firstDifference(_ left: TraceHistory, _ right: TraceHistory) -> [String]? {
    let first = max(left.firstSequence ?? 1, right.firstSequence ?? 1)
    let (leftRuns, rightRuns) = (runs(left), runs(right))
    for sequence in Set(left.sequences(from: first)).union(right.sequences(from: first)).sorted() {
      let (one, other) = (left.action(sequence), right.action(sequence))
      if one?.payload != other?.payload {
        return [
          "action \(sequence)", "- \(one?.shortText ?? "the recording has ended")",
          "+ \(other?.shortText ?? "the recording has ended")",
        ]
      }
      let (asked, askedThere) = (leftRuns[sequence] ?? [], rightRuns[sequence] ?? [])
      if asked != askedThere {
        let lines =
          asked.filter { !askedThere.contains($0) }.map { "- \($0)" }
          + askedThere.filter { !asked.contains($0) }.map { "+ \($0)" }
        return ["what action \(one?.shortText ?? "\(sequence)") asked for"] + lines
      }
    }
    return nil
  }

  /// The requests that each action started and handed over.
  private static func runs(_ history: TraceHistory) -> [UInt64: [String]] {
    Dictionary(grouping: history.runs.values.flatMap(\.servings).filter { $0.value.by != nil }) {
      $0.value.by ?? 0
    }
    .mapValues { $0.map { "\($0.value.isHandedOver ? "hands over" : "starts") \(request($0))" }.sorted() }
  }

  private static func request(_ serving: TraceHistory.Serving) -> String {
    "\(serving.run.start.name) \(serving.value.request.text)"
  }

  private static func requests(_ history: TraceHistory) -> [String: Int] {
    Dictionary(history.runs.values.flatMap(\.servings).map { (request($0), 1) }, uniquingKeysWith: +)
  }

  private static func counts(_ left: [String: Int], _ right: [String: Int]) -> [String] {
    Set(left.keys).union(right.keys).sorted().compactMap { key in
      let (one, other) = (left[key] ?? 0, right[key] ?? 0)
      return one == other ? nil : "\(key): \(one) → \(other)"
    }
  }
}
