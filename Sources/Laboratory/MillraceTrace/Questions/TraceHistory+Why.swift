extension TraceHistory {
  /// The chain of causes from an action to an action from outside, beginning with the action.
  ///
  /// - Parameter number: the number of the action. A negative number counts from the end: -1 is the last.
  package func why(action number: Int64) -> TraceAnswer {
    let sequence = sequence(of: number)
    guard action(sequence) != nil else { return missing(action: number) }
    let chain = chain(of: sequence)
    return TraceAnswer("Why action \(sequence)", chain.lines, .array(chain.json))
  }

  /// The values of the run with a number, as in `#9`, or of each run whose effect or request contains the text, oldest
  /// first.
  private func servings(matching text: String) -> [Serving] {
    if text.hasPrefix("#"), let number = UInt64(text.dropFirst()) { return runs[number]?.servings ?? [] }
    return sortedRuns.flatMap(\.servings).filter { Self.matches($0.run, text) || $0.searched.contains(text) }
      .sorted { ($0.value.line, $0.run.generation) < ($1.value.line, $1.run.generation) }
  }

  /// Whether the run's number or effect matches, whatever its request.
  private static func matches(_ run: Run, _ text: String) -> Bool {
    text == "#\(run.generation)" || run.label.contains(text)
  }

  /// The chain of causes of the run with a number, as in `#9`, or of each run whose effect or request contains the
  /// text, newest first.
  package func why(runsMatching text: String) -> TraceAnswer {
    let found = servings(matching: text).reversed().filter { $0.next == nil || !Self.matches($0.run, text) }
    var answer = TraceAnswer()
    var json: [JSON] = []
    for serving in found.prefix(20) {
      var chain: Chain = ([], [])
      if let action = append(serving, &chain) { addCauses(of: action, &chain) }
      answer.add("Why \(serving.text)", chain.lines)
      json.append(["run": serving.json, "chain": .array(chain.json)])
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

  /// Why no run of a request is in progress after an action. If runs of several effects match, there is an answer for
  /// each effect.
  package func whyNot(_ text: String, at sequence: UInt64?) -> TraceAnswer {
    let at = sequence ?? lastSequence
    // Compares lines instead of times, since much may happen within one microsecond.
    let next = sequence.flatMap { at in actions.keys.filter { $0 > at }.min() }.flatMap(lineNumber)
    let byEffect = Dictionary(grouping: servings(matching: text), by: \.run.start.name)
      .sorted { $0.key < $1.key }
    var answers = byEffect.map { (name: $0.key, whyNot($0.value, before: next ?? .max)) }
    if answers.isEmpty {
      let known =
        isWhole
        ? "no run of the recording has such a request: nothing ever asked for it"
        : "no run of the recording has such a request, as far as it knows: it lacks a part of what the store did"
      answers = [("", ([known] + effectNames.map { "there are runs of \($0)" }, [], false))]
    }
    var answer = TraceAnswer()
    for (name, found) in answers {
      let effect = answers.count > 1 ? ", of \(name)" : ""
      answer.add("Why '\(text)'\(effect) is not in progress after action \(at)", found.lines)
      if found.isRunning { answer.isNegative = true }
    }
    answer.json = [
      "action": .number(at), "reasons": .strings(answers.flatMap(\.1.lines)),
      "runs": .array(answers.flatMap(\.1.before).map(\.json)),
    ]
    return answer
  }

  /// Why an effect serves none of some requests before a line. The result has those requests, oldest first.
  private func whyNot(
    _ found: [Serving], before line: Int
  ) -> (lines: [String], before: [Serving], isRunning: Bool) {
    let before = found.filter { $0.value.line < line }
    var lines: [String] = []
    if let serving = before.last(where: { $0.over.map { $0 >= line } ?? true }) {
      let run = serving.run
      lines.append(
        run.end.map { $0.line < line } ?? false
          ? "\(serving.text) is no more wanted, \(run.ending); its body is still running"
          : "\(serving.text) is in progress, since \(TimeText.moment(serving.value.time ?? 0))")
      lines += run.waits.filter { $0.lines.contains(line - 1) }
        .map { "it waits for \($0.reason), since \(TimeText.moment($0.begin))" }
      return (lines, before, true)
    }
    if let serving = before.last {
      let time = serving.next?.time ?? serving.run.end?.time ?? 0
      lines.append("the last run, \(serving.text), \(serving.ending), \(TimeText.moment(time))")
      if let by = serving.endedBy, let action = action(by) {
        lines.append("that action: \(action.shortText)")
        lines += chain(of: by).lines.dropFirst().map { "  \($0)" }
      } else if serving.next == nil, case .finish = serving.run.end?.event {
        lines.append("while its request stays asked for, a finished run is not run again")
      }
      if let next = found.first(where: { $0.value.line >= line }) {
        lines.append(
          "it is asked for again by action \(next.value.by.map { "\($0)" } ?? "?"): \(next.text)")
      }
    } else if let next = found.first {
      lines.append(
        "it is not asked for yet: \(next.text) is started at \(TimeText.moment(next.value.time ?? 0))")
      if let action = next.value.by { lines += chain(of: action).lines.map { "  \($0)" } }
    }
    return (lines, before, false)
  }

  private var effectNames: [String] { Set(runs.values.map(\.start.name)).sorted() }

  func missing(action number: Int64) -> TraceAnswer {
    let known = firstSequence.map { "it has the actions \($0) to \(lastSequence)" } ?? "it has no actions"
    return TraceAnswer("No action \(number) in the recording", [known], .null, isNegative: true)
  }

  // MARK: Causal chains

  typealias Chain = (lines: [String], json: [JSON])

  /// The links of the chain: actions and runs, each followed by its cause.
  func chain(of sequence: UInt64) -> Chain {
    var chain: Chain = ([], [])
    addCauses(of: sequence, &chain)
    return chain
  }

  private func addCauses(of sequence: UInt64, _ chain: inout Chain) {
    var next: UInt64? = sequence
    while let sequence = next {
      next = nil
      guard let action = action(sequence) else {
        chain.lines.append("action \(sequence), which is not in the recording")
        break
      }
      chain.lines.append("action \(action.shortText)")
      chain.json.append(
        [
          "action": .number(sequence), "kind": .string(action.kind), "time": .number(action.time),
          "value": action.payload.json, "at": .string(action.cause.site),
        ])
      guard let generation = action.cause.run else {
        chain.lines.append("sent from outside, at \(action.cause.site), \(TimeText.moment(action.time))")
        break
      }
      guard let run = runs[generation] else {
        chain.lines.append("sent by run #\(generation), which is not in the recording")
        break
      }
      next = append(run.serving(before: lineNumber(of: sequence) ?? .max), &chain)
      // Prevents an endless loop in a file that was changed by hand.
      if let cause = next, cause >= sequence {
        chain.lines.append("action \(cause), which is not before it: the recording was changed")
        break
      }
    }
  }

  /// - Returns: the action that asked for the value.
  private func append(_ serving: Serving, _ chain: inout Chain) -> UInt64? {
    chain.lines.append("\(chain.lines.isEmpty ? "run" : "sent by") \(serving.text), \(serving.ending)")
    chain.json.append(serving.json)
    if let action = serving.value.by { return action }
    let start = serving.run.start
    let site = connections[start.connection].map { ", at \($0.site)" } ?? ""
    chain.lines.append(
      serving.value.isHandedOver
        ? "which it got where the recording has nothing: before the recording, or in a gap"
        : "started when \(start.name) was connected\(site)")
    return nil
  }
}
