/// A recording in Chrome's trace format, which Perfetto and speedscope open. Pure.
///
/// Reductions are slices of one lane. Each effect has as many lanes as it has runs at the same time, so that the slices
/// of a lane do not overlap. Causes are flows, fenced and refused results are instants, and the number of runs in
/// progress is a counter.
package struct ChromeExport {
  /// The process and the thread that stand for a lane.
  private typealias Lane = (process: Int, thread: Int)

  private static let reducer: Lane = (1, 1)

  private var events: [JSON] = []
  private var flows: Int64 = 0
  /// The time of each action's slice.
  private var places: [UInt64: UInt64] = [:]
  /// The slice of each run.
  private var slices: [UInt64: (lane: Lane, begin: UInt64, end: UInt64)] = [:]

  /// The whole export as strict JSON.
  package static func text(of history: TraceHistory) -> String {
    var export = ChromeExport()
    export.name("process_name", "\(history.text.header.program): reducer", reducer)
    export.name("thread_name", "actions", reducer)
    export.addActions(history)
    export.addRuns(history)
    export.addSent(history)
    export.addCounter(history)
    let json: JSON = ["displayTimeUnit": .string("ms"), "traceEvents": .array(export.events)]
    return json.text
  }

  private mutating func add(
    _ phase: String, _ name: String, at time: UInt64, _ lane: Lane, _ more: JSON = [:]
  ) {
    let event: JSON = [
      "name": .string(name), "cat": .string("millrace"), "ph": .string(phase), "ts": .number(time),
      "pid": .number(lane.process), "tid": .number(lane.thread),
    ]
    events.append(.object((event.fields ?? []) + (more.fields ?? [])))
  }

  private mutating func name(_ kind: String, _ name: String, _ lane: Lane) {
    add("M", kind, at: 0, lane, ["args": ["name": .string(name)]])
  }

  private mutating func addActions(_ history: TraceHistory) {
    var free: UInt64 = 0
    for action in history.text.lines.lazy.compactMap(\.line.action) {
      // Moves the second of two reductions within one microsecond behind the first.
      let time = max(action.time, free)
      let duration = max(1, (action.duration ?? 0) / 1000)
      free = time + duration
      places[action.sequence] = time
      add(
        "X", action.kind, at: time, Self.reducer,
        [
          "dur": .number(duration),
          "args": [
            "action": .number(action.sequence), "value": action.payload.json,
            "at": .string(action.cause.site),
          ],
        ])
    }
  }

  private mutating func flow(
    from: (time: UInt64, lane: Lane), to: (time: UInt64, lane: Lane), _ name: String
  ) {
    flows += 1
    add("s", name, at: from.time, from.lane, ["id": .int(flows)])
    add("f", name, at: max(from.time, to.time), to.lane, ["id": .int(flows), "bp": .string("e")])
  }

  private mutating func addRuns(_ history: TraceHistory) {
    let names = Set(history.runs.values.map(\.start.name)).sorted()
    for (index, effect) in names.enumerated() {
      let process = index + 2
      name("process_name", effect, (process, 1))
      var free: [UInt64] = []
      for run in history.sortedRuns.filter({ $0.start.name == effect }).sorted(by: {
        ($0.started ?? 0, $0.generation) < ($1.started ?? 0, $1.generation)
      }) {
        let begin = run.started ?? 0
        let end = max(begin + 1, run.over?.time ?? history.end)
        let lane = free.firstIndex { $0 <= begin } ?? free.count
        if lane == free.count {
          free.append(end)
          name("thread_name", "lane \(lane + 1)", (process, lane + 1))
        } else {
          free[lane] = end
        }
        slices[run.generation] = ((process, lane + 1), begin, end)
        addRun(run, (process, lane + 1), begin, end)
      }
    }
  }

  private mutating func addRun(_ run: TraceHistory.Run, _ lane: Lane, _ begin: UInt64, _ end: UInt64) {
    add(
      "X", run.values[0].request.text, at: begin, lane,
      [
        "dur": .number(end - begin),
        "args": [
          "run": .number(run.generation), "ending": .string(run.ending),
          "waits": .array(run.waits.map { .string($0.reason) }),
        ],
      ])
    for value in run.values {
      let name = value.isHandedOver ? "got \(value.request.text)" : "starts"
      let time = min(max(value.time ?? begin, begin), end - 1)
      if value.isHandedOver { add("i", name, at: time, lane, ["s": .string("t")]) }
      guard let place = value.by.flatMap({ places[$0] }) else { continue }
      flow(from: (place, Self.reducer), to: (time, lane), name)
    }
  }

  private mutating func addSent(_ history: TraceHistory) {
    for numbered in history.text.lines {
      switch numbered.line {
      case .action(let action):
        guard let run = action.cause.run.flatMap({ slices[$0] }), let time = places[action.sequence]
        else { continue }
        let sent = min(max(action.time, run.begin), run.end - 1)
        flow(from: (sent, run.lane), to: (time, Self.reducer), "sends")
      case .turnedAway(let line):
        let lane = line.cause.run.flatMap { slices[$0]?.lane } ?? Self.reducer
        add("i", "\(line.fate) \(line.kind)", at: line.time, lane, ["s": .string("t")])
      default: break
      }
    }
  }

  private mutating func addCounter(_ history: TraceHistory) {
    var changes: [UInt64: Int64] = [:]
    for run in history.runs.values {
      changes[run.started ?? 0, default: 0] += 1
      if let over = run.over { changes[over.time, default: 0] -= 1 }
    }
    var count: Int64 = 0
    for (time, change) in changes.sorted(by: { $0.key < $1.key }) where change != 0 {
      count += change
      add("C", "runs in progress", at: time, Self.reducer, ["args": ["runs": .int(count)]])
    }
  }
}
