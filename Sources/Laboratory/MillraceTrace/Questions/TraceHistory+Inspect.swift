extension TraceHistory {
  /// A summary: the actions and runs with their times, the runs that did not end, the actions that were turned away,
  /// and the gaps.
  ///
  /// - Parameter grep: a text; lines without it are left out.
  package func inspection(grep: String? = nil) -> TraceAnswer {
    var answer = TraceAnswer()
    func add(_ heading: String, _ lines: [String], atMost limit: Int = 10) {
      let lines = grep.map { text in lines.filter { $0.contains(text) } } ?? lines
      let more = lines.count > limit ? ["and \(lines.count - limit) more"] : []
      answer.add(heading, Array(lines.prefix(limit)) + more)
    }
    answer.add(
      "\(header.program) of \(header.store), process \(header.process)\(header.build.map { ", build \($0)" } ?? "")",
      summary)
    add("Actions by case", kinds.counts)
    add("Slowest reductions", slowest)
    add("Effects, the busiest first", effectLines)
    add("Longest waits", waitLines)
    add(isFinished ? "Runs that did not end" : "In progress when the recording ended", openRuns, atMost: 50)
    add("Fenced and refused", turnedAwayLines, atMost: 50)
    add("Notes", noteLines)
    answer.json = inspectionJSON
    return answer
  }

  private var summary: [String] {
    let count = actions.count
    let rate = end > 0 ? Double(count) / (Double(end) / 1e6) : 0
    var lines = [
      "\(count) actions, \(runs.count) runs, \(turnedAway.count) results turned away, in \(TimeText.duration(end))",
      "\((rate * 10).rounded() / 10) actions a second, \(snapshots.count) snapshots, actions \(firstSequence ?? 0) to \(lastSequence)",
    ]
    if let farthest {
      let asked = header.every.map { $0 < farthest ? ", where every \($0) were asked for" : "" } ?? ""
      lines.append("snapshots are at most \(farthest) actions apart\(asked)")
    }
    if let firstSequence, firstSequence > 1 {
      lines.append("it has nothing of what was before action \(firstSequence)")
    }
    if !isFinished { lines.append("it was not ended in order: the program was ended, or still runs") }
    if let torn = text.tornLine { lines.append("line \(torn), the last one, is incomplete") }
    if let damage = text.damage { lines.append("damaged: line \(damage.line) \(damage.problem)") }
    if lostCount > 0 { lines.append("\(lostCount) events were lost in \(gaps.count) gaps") }
    if !header.redactions.isEmpty { lines.append("redacted: \(header.redactions.joined(separator: ", "))") }
    return lines
  }

  /// The largest number of actions between two snapshots; `nil` if there are fewer than two.
  private var farthest: UInt64? {
    zip(snapshots, snapshots.dropFirst()).map { $1.sequence - min($0.sequence, $1.sequence) }.max()
  }

  private var lostCount: UInt64 {
    gaps.reduce(0) { min($0 + UInt64($1.lost), LineReader.largestNumber) }
  }

  private var header: TraceHeader { text.header }

  private var allActions: [ActionLine] { text.lines.compactMap(\.line.action) }

  package var kinds: [String: Int] { ActionLine.kinds(of: allActions) }

  private var slowest: [String] {
    allActions.filter { $0.duration != nil }.sorted { $0.duration ?? 0 > $1.duration ?? 0 }
      .map { "\(TimeText.duration(($0.duration ?? 0) / 1000)): action \($0.shortText)" }
  }

  /// The runs of an effect, and their total time.
  package struct EffectWork: Sendable {
    package let name: String
    package var runs = 0
    package var time: UInt64 = 0
    package var longest: UInt64 = 0
    package var failures = 0
  }

  package var effects: [EffectWork] {
    var found: [String: EffectWork] = [:]
    for run in runs.values {
      var work = found[run.start.name] ?? EffectWork(name: run.start.name)
      let over = run.over?.time ?? end
      let time = over - min(run.started ?? 0, over)
      work.runs += 1
      work.time = min(work.time + time, LineReader.largestNumber)
      work.longest = max(work.longest, time)
      if case .fail = run.end?.event { work.failures += 1 }
      found[run.start.name] = work
    }
    return found.values.sorted { ($1.time, $0.name) < ($0.time, $1.name) }
  }

  private var effectLines: [String] {
    effects.map { work in
      let failed = work.failures > 0 ? ", \(work.failures) failed" : ""
      return "\(work.name): \(work.runs) runs, \(TimeText.duration(work.time)) together, "
        + "the longest \(TimeText.duration(work.longest))\(failed)"
    }
  }

  private var waitLines: [String] {
    let waits = runs.values.flatMap { run in
      run.waits.map { wait in
        let over = wait.end ?? run.over?.time ?? end
        return (run: run, wait: wait, time: over - min(wait.begin, over))
      }
    }
    return waits.sorted { ($1.time, $0.wait.number) < ($0.time, $1.wait.number) }.map { run, wait, time in
      let still = wait.end == nil ? ", still waiting" : ""
      return "\(TimeText.duration(time)) for \(wait.reason): \(run.text)\(still)"
    }
  }

  package var open: [Run] { sortedRuns.filter(\.isOpen) }

  private var openRuns: [String] {
    open.map { run in
      let since = run.started.map { "since \(TimeText.moment($0)), \(TimeText.duration(end - min($0, end)))" }
      let cause = run.start.startedBy.map { ", started by action \($0)" } ?? ""
      let waits = run.openWaits.map { ", waits for \($0.reason)" }.joined()
      let stopped = run.end == nil ? "" : ", \(run.ending)"
      return "\(run.text): \(since ?? "since before the recording")\(cause)\(stopped)\(waits)"
    }
  }

  private var turnedAwayLines: [String] {
    turnedAway.map { line, number in
      var words = "\(TimeText.moment(line.time)) \(line.fate) \(line.kind)"
      if let generation = line.cause.run {
        if let run = runs[generation] {
          words += " of \(run.serving(before: number).text), \(run.ending)"
          if let by = run.endedBy, let action = action(by) { words += " \(action.kind)" }
        } else {
          words += " of run #\(generation)"
        }
      } else {
        words += ", sent at \(line.cause.site)"
      }
      return words
    }
  }

  private var noteLines: [String] {
    notes.map { "\(TimeText.moment($0.time)) \($0.words)" }
  }

  private var inspectionJSON: JSON {
    [
      "program": .string(header.program), "process": .int(header.process), "store": .string(header.store),
      "start": .double(header.start), "duration": .number(end), "actions": .int(Int64(actions.count)),
      "last": .number(lastSequence), "finished": .bool(isFinished),
      "torn": text.tornLine.map { .int(Int64($0)) } ?? .null,
      "damage": text.damage.map { .string("line \($0.line) \($0.problem)") } ?? .null,
      "lost": .number(lostCount), "snapshots": .int(Int64(snapshots.count)),
      "snapshotsApart": farthest.map { .number($0) } ?? .null,
      "kinds": .object(kinds.sorted { $0.key < $1.key }.map { JSON.Field($0.key, .int(Int64($0.value))) }),
      "effects": .array(
        effects.map { work in
          [
            "name": .string(work.name), "runs": .int(Int64(work.runs)), "time": .number(work.time),
            "longest": .number(work.longest), "failures": .int(Int64(work.failures)),
          ]
        }), "open": .array(open.map(\.newest.json)), "waits": .strings(waitLines),
      "turnedAway": .strings(turnedAwayLines), "slowest": .strings(slowest), "notes": .strings(noteLines),
    ]
  }
}

extension ActionLine {
  /// The numbers of actions by case.
  static func kinds(of actions: some Sequence<ActionLine>) -> [String: Int] {
    Dictionary(actions.map { ($0.kind, 1) }, uniquingKeysWith: +)
  }
}

extension [String: Int] {
  /// The numbers as lines, the largest first.
  var counts: [String] {
    sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
  }
}
