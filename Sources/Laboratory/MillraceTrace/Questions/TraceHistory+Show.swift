extension TraceHistory {
  /// The last snapshot of the state at or before an action.
  package func snapshot(atOrBefore sequence: UInt64) -> SnapshotLine? {
    snapshots.last { $0.sequence <= sequence }
  }

  /// The number of an action. A negative number counts from the end: -1 is the last. If it counts beyond the first
  /// action, the result is larger than any number.
  func sequence(of number: Int64) -> UInt64 {
    number < 0 ? lastSequence &- UInt64(-(number + 1)) : UInt64(number)
  }

  /// An action with its consequences, and the state after it, if recorded.
  ///
  /// - Parameter number: the number of the action. A negative number counts from the end: -1 is the last.
  package func show(_ number: Int64) -> TraceAnswer {
    let sequence = sequence(of: number)
    guard sequence <= lastSequence,
      sequence == 0 || action(sequence) != nil || snapshot(atOrBefore: sequence)?.sequence == sequence
    else { return missing(action: number) }
    var answer = TraceAnswer()
    answer.json["action"] = .number(sequence)
    if let action = action(sequence) {
      answer.add(
        "Action \(sequence), line \(lineNumber(of: sequence) ?? 0), \(TimeText.moment(action.time))",
        shortChain(of: sequence))
      answer.json["chain"] = .array(chain(of: sequence).json)
    }
    let asked = sortedRuns.flatMap(\.servings).filter { $0.value.by == sequence }
    let started = asked.filter { !$0.value.isHandedOver }
    let handed = asked.filter(\.value.isHandedOver)
    let ended = sortedRuns.filter { $0.endedBy == sequence }.map(\.newest)
    answer.add("Started", started.map { "\($0.text), \($0.ending)" })
    answer.add("Handed over", handed.map { "\($0.text), \($0.ending)" })
    answer.add("Made unwanted", ended.map(\.text))
    for (name, servings) in [("started", started), ("handed", handed), ("ended", ended)] {
      answer.json[name] = .array(servings.map(\.json))
    }
    addState(sequence, &answer)
    return answer
  }

  /// The nearest causes; `why` lists all.
  private func shortChain(of sequence: UInt64) -> [String] {
    let lines = chain(of: sequence).lines
    return lines.count > 6 ? lines.prefix(4) + ["and \(lines.count - 4) more causes"] : lines
  }

  private func addState(_ sequence: UInt64, _ answer: inout TraceAnswer) {
    guard let snapshot = snapshot(atOrBefore: sequence) else {
      answer.add("State", ["no snapshot at or before this action is in the recording"])
      return
    }
    answer.json["stateAfter"] = .number(snapshot.sequence)
    answer.json["state"] = snapshot.state.json
    let before = snapshot.sequence == 0 ? nil : self.snapshot(atOrBefore: snapshot.sequence - 1)
    if snapshot.sequence == sequence {
      if let before {
        let isNext = before.sequence + 1 == sequence
        let changed = before.state.differences(to: snapshot.state)
        answer.add(isNext ? "Changed" : "Changed since action \(before.sequence)", changed)
        answer.json["changed"] = .strings(changed)
      }
      answer.add("State", pretty(snapshot.state))
      return
    }
    answer.add("State after action \(snapshot.sequence), the last snapshot before", pretty(snapshot.state))
    let between = sequences(from: snapshot.sequence + 1).prefix { $0 <= sequence }
      .compactMap { action($0)?.shortText }
    answer.add("Actions since then", between)
    if let next = snapshots.first(where: { $0.sequence > sequence }) {
      answer.add(
        "Changed from there to action \(next.sequence), the next snapshot",
        snapshot.state.differences(to: next.state))
    }
  }

  private func pretty(_ payload: Payload) -> [String] {
    guard case .json(let json) = payload else { return [payload.text] }
    guard case .object(let fields) = json else { return [json.text] }
    return fields.map { "\($0.key): \(Payload.json($0.value).shortText(400))" }
  }
}
