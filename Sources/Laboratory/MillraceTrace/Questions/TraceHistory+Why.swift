extension TraceHistory {
  /// The chain of causes of an action up to the outside: the action first.
  ///
  /// - Parameter number: the number of the action; a negative one counts from the end: -1 is the last.
  package func why(action number: Int64) -> TraceAnswer {
    let sequence = sequence(of: number)
    guard action(sequence) != nil else { return missing(action: number) }
    let chain = chain(of: sequence)
    return TraceAnswer("Why action \(sequence)", chain.lines, .array(chain.json))
  }

  /// The run with a number, as in `#9`, or each run whose effect or request contains a text, the oldest first.
  private func runs(matching text: String) -> [Run] {
    if text.hasPrefix("#"), let number = UInt64(text.dropFirst()) { return runs[number].map { [$0] } ?? [] }
    return sortedRuns.filter { $0.fullText.contains(text) }
  }

  /// The chain of causes of the run with a number, as in `#9`, or of each run whose effect or request contains a text,
  /// the newest first.
  package func why(runsMatching text: String) -> TraceAnswer {
    let found = runs(matching: text).reversed()
    var answer = TraceAnswer()
    var json: [JSON] = []
    for run in found.prefix(20) {
      let chain = chain(of: run)
      answer.add("Why \(run.text)", chain.lines)
      json.append(.object([JSON.Field("run", run.json), JSON.Field("chain", .array(chain.json))]))
    }
    if found.count > 20 { answer.add("\(found.count - 20) more runs match", ["name one by its number, #7"]) }
    if found.isEmpty {
      return TraceAnswer(
        "No run matches '\(text)'", effectNames.map { "there are runs of \($0)" }, .array([]),
        isNegative: true)
    }
    answer.json = .array(json)
    return answer
  }

  /// Why no run of a request is in progress after an action. If runs of several effects match, each effect is answered for.
  package func whyNot(_ text: String, at sequence: UInt64?) -> TraceAnswer {
    let at = sequence ?? lastSequence
    // What began in the last microsecond has begun.
    let time = sequence.flatMap { action($0 &+ 1)?.time } ?? .max
    let byEffect = Dictionary(grouping: runs(matching: text), by: \.start.name).sorted { $0.key < $1.key }
    var answers = byEffect.map { (name: $0.key, whyNot($0.value, before: time)) }
    if answers.isEmpty {
      let others = effectNames.map { "there are runs of \($0)" }
      answers = [
        ("", (["no run of the recording has such a request: nothing ever asked for it"] + others, [], false))
      ]
    }
    var answer = TraceAnswer()
    for (name, found) in answers {
      let effect = answers.count > 1 ? ", of \(name)" : ""
      answer.add("Why '\(text)'\(effect) is not in progress after action \(at)", found.lines)
      if found.isRunning { answer.isNegative = true }
    }
    answer.json = .object([
      JSON.Field("action", .number(at)),
      JSON.Field("reasons", .array(answers.flatMap(\.1.lines).map(JSON.string))),
      JSON.Field("runs", .array(answers.flatMap(\.1.before).map(\.json))),
    ])
    return answer
  }

  /// Why none of some runs of one effect is in progress at a time: they are there, the oldest first.
  private func whyNot(
    _ found: [Run], before time: UInt64
  ) -> (lines: [String], before: [Run], isRunning: Bool) {
    let before = found.filter { ($0.started ?? 0) < time || $0.started == nil }
    var lines: [String] = []
    if let run = before.last(where: { $0.over.map { $0 >= time } ?? true }) {
      lines.append(
        run.end.map { $0.time < time } ?? false
          ? "\(run.text) is no more wanted, \(run.ending); its body is still running"
          : "\(run.text) is in progress, since \(TimeText.moment(run.started ?? 0))")
      lines += run.waits.filter { $0.begin < time && ($0.end ?? .max) >= time }
        .map { "it waits for \($0.reason), since \(TimeText.moment($0.begin))" }
      return (lines, before, true)
    }
    if let run = before.last {
      lines.append("the last run, \(run.text), \(run.ending), \(TimeText.moment(run.end?.time ?? 0))")
      if let by = run.endedBy, let action = action(by) {
        lines.append("that action: \(action.shortText)")
        lines += chain(of: by).lines.dropFirst().map { "  \($0)" }
      } else if case .finish = run.end?.event {
        lines.append("while its request stays asked for, a finished run is not run again")
      }
      if let next = found.first(where: { ($0.started ?? 0) >= time }) {
        lines.append(
          "it is asked for again by action \(next.start.startedBy.map { "\($0)" } ?? "?"): \(next.text)")
      }
    } else if let next = found.first {
      lines.append(
        "it is not asked for yet: \(next.text) is started at \(TimeText.moment(next.started ?? 0))")
      if let action = next.start.startedBy { lines += chain(of: action).lines.map { "  \($0)" } }
    }
    return (lines, before, false)
  }

  private var effectNames: [String] { Set(runs.values.map(\.start.name)).sorted() }

  func missing(action number: Int64) -> TraceAnswer {
    let known = firstSequence.map { "it has the actions \($0) to \(lastSequence)" } ?? "it has no actions"
    return TraceAnswer("No action \(number) in the recording", [known], .null, isNegative: true)
  }

  // MARK: Chains

  /// Each link is an action or a run, from the effect to the cause.
  func chain(of sequence: UInt64) -> (lines: [String], json: [JSON]) {
    var chain: (lines: [String], json: [JSON]) = ([], [])
    var next: UInt64? = sequence
    while let sequence = next {
      next = nil
      guard let action = action(sequence) else {
        chain.lines.append("action \(sequence), which is not in the recording")
        break
      }
      chain.lines.append("action \(action.shortText)")
      chain.json.append(
        .object([
          JSON.Field("action", .number(sequence)), JSON.Field("kind", .string(action.kind)),
          JSON.Field("time", .number(action.time)), JSON.Field("value", action.payload.json),
          JSON.Field("at", .string(action.cause.site)),
        ]))
      guard let generation = action.cause.run else {
        chain.lines.append("sent from outside, at \(action.cause.site), \(TimeText.moment(action.time))")
        break
      }
      guard let run = runs[generation] else {
        chain.lines.append("sent by run #\(generation), which is not in the recording")
        break
      }
      next = append(run, &chain)
      // A chain would have no end in a file that was changed by hand.
      if let cause = next, cause >= sequence {
        chain.lines.append("action \(cause), which is not before it: the recording was changed")
        break
      }
    }
    return chain
  }

  private func chain(of run: Run) -> (lines: [String], json: [JSON]) {
    var chain: (lines: [String], json: [JSON]) = ([], [])
    guard let action = append(run, &chain) else { return chain }
    let rest = self.chain(of: action)
    return (chain.lines + rest.lines, chain.json + rest.json)
  }

  /// - Returns: the action that started the run.
  private func append(_ run: Run, _ chain: inout (lines: [String], json: [JSON])) -> UInt64? {
    chain.lines.append(
      "sent by \(run.text), \(run.ending)".replacing("sent by", with: chain.lines.isEmpty ? "run" : "sent by")
    )
    chain.json.append(run.json)
    if let action = run.start.startedBy { return action }
    let site = connections[run.start.connection].map { ", at \($0.site)" } ?? ""
    chain.lines.append("started when \(run.start.name) was connected\(site)")
    return nil
  }
}
