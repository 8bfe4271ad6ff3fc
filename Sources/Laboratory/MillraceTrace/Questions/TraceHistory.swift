/// The contents of a recording, indexed for questions. Pure.
package struct TraceHistory: Sendable {
  /// One run.
  package struct Run: Sendable {
    /// A request of the run.
    package struct Value: Sendable {
      package let request: Payload
      /// The action that asked for the value; `nil` if connecting the effect did, or if that is not recorded.
      package let by: UInt64?
      /// Whether the value was handed over.
      package let isHandedOver: Bool
      package let time: UInt64?
      /// The first line that mentions the value.
      package let line: Int
    }

    package let generation: UInt64
    package let start: RunStart
    package let started: UInt64?
    /// The first recorded value, and those handed over since.
    package fileprivate(set) var values: [Value]
    package var end: (event: RunLine.Event, time: UInt64, line: Int)?
    /// The time when its body returned, if that was after the end.
    package var returned: (time: UInt64, line: Int)?
    package var reduced = 0
    package var fenced = 0
    package var waits: [Wait] = []

    /// Whether its body has not returned, according to the recording.
    package var isOpen: Bool {
      guard let end else { return true }
      switch end.event {
      case .answer, .withdraw, .disconnect: return returned == nil
      default: return false
      }
    }
    /// The time when its body returned, and the line that says so.
    package var over: (time: UInt64, line: Int)? {
      isOpen ? nil : returned ?? end.map { ($0.time, $0.line) }
    }
    package var label: String { "\(start.name) #\(generation)" }
    /// The run with its newest value, in the form for people.
    package var text: String { newest.text }
    /// The run with each value of its request.
    package var servings: [Serving] { values.indices.map { Serving(run: self, index: $0) } }
    package var newest: Serving { Serving(run: self, index: values.count - 1) }
    /// The run with the value that it had before a line.
    package func serving(before line: Int) -> Serving {
      Serving(run: self, index: values.lastIndex { $0.line < line } ?? 0)
    }
  }

  /// A run with one of the values of its request.
  package struct Serving: Sendable {
    package let run: Run
    let index: Int

    package var value: Run.Value { run.values[index] }
    /// The next value that was handed over.
    var next: Run.Value? { index + 1 < run.values.count ? run.values[index + 1] : nil }
    /// The line from which on the run no longer serves the value.
    var over: Int? { next?.line ?? run.over?.line }
    /// The run in the form for people: `FetchEffect #7 ("swift")`.
    package var text: String { "\(run.label) (\(value.request.shortText(120)))" }
  }

  package struct Wait: Sendable {
    package let number: UInt64
    package let reason: String
    package let begin: UInt64
    package var end: UInt64?
    fileprivate(set) var lines: Range<Int>
  }

  package let text: TraceText
  /// The indices in `text.lines` of the actions, by sequence number.
  package private(set) var actions: [UInt64: Int] = [:]
  package private(set) var runs: [UInt64: Run] = [:]
  package private(set) var connections: [UInt64: SnapshotLine.Connected] = [:]
  /// The actions turned away, each with the number of its line.
  package private(set) var turnedAway: [(line: TurnedAwayLine, number: Int)] = []
  package private(set) var snapshots: [SnapshotLine] = []
  package private(set) var gaps: [GapLine] = []
  package private(set) var notes: [NoteLine] = []
  package private(set) var firstSequence: UInt64?
  package private(set) var lastSequence: UInt64 = 0
  /// The time of the last line.
  package private(set) var end: UInt64 = 0
  /// Whether the recording was ended in order.
  package private(set) var isFinished = false

  package init(_ text: TraceText) {
    self.text = text
    for (index, numbered) in text.lines.enumerated() { handle(numbered.line, numbered.number, index) }
  }

  /// Reads a file.
  package init(contentsOf path: String) throws(TraceFailure) {
    self.init(try TraceText(contentsOf: path))
  }

  private mutating func handle(_ line: TraceLine, _ number: Int, _ index: Int) {
    if let time = line.time { end = max(end, time) }
    switch line {
    case .action(let action):
      actions[action.sequence] = index
      firstSequence = firstSequence ?? action.sequence
      lastSequence = max(lastSequence, action.sequence)
    case .run(let line): handle(line, number)
    case .turnedAway(let line): turnedAway.append((line, number))
    case .connection(let line) where line.isConnected:
      connections[line.connection.number] = line.connection
    case .snapshot(let line):
      snapshots.append(line)
      lastSequence = max(lastSequence, line.sequence)
      if let whole = line.whole { handle(whole, number) }
    case .gap(let line): gaps.append(line)
    case .note(let line): notes.append(line)
    case .wait(let line): handle(line, number)
    case .end: isFinished = true
    default: break
    }
  }

  private mutating func handle(_ line: RunLine, _ number: Int) {
    switch line.event {
    case .start(let start):
      let value = Run.Value(
        request: start.request, by: start.startedBy, isHandedOver: false, time: line.time, line: number)
      runs[line.generation] = Run(
        generation: line.generation, start: start, started: line.time, values: [value])
    case .handOver(let request):
      runs[line.generation]?.values.append(
        Run.Value(request: request, by: lastSequence, isHandedOver: true, time: line.time, line: number))
    case .returned(let fenced):
      runs[line.generation]?.returned = (line.time, number)
      runs[line.generation]?.fenced = fenced
    default:
      runs[line.generation]?.end = (line.event, line.time, number)
      runs[line.generation]?.reduced = line.reduced ?? 0
    }
  }

  private mutating func handle(_ line: WaitLine, _ number: Int) {
    if let reason = line.reason {
      runs[line.generation]?.waits.append(
        Wait(number: line.number, reason: reason, begin: line.time, lines: number..<Int.max))
    } else if let index = runs[line.generation]?.waits.lastIndex(where: { $0.number == line.number }),
      let begin = runs[line.generation]?.waits[index].lines.lowerBound
    {
      runs[line.generation]?.waits[index].end = line.time
      runs[line.generation]?.waits[index].lines = begin..<max(begin, number)
    }
  }

  private mutating func handle(_ whole: LiveTable, _ number: Int) {
    for live in whole.runs.values {
      let known = runs[live.generation]?.newest.value
      if known?.request == live.start.request { continue }
      let isHandedOver = known != nil || live.handed != nil
      let value = Run.Value(
        request: live.start.request,
        by: isHandedOver ? live.handed.flatMap { $0 > 0 ? $0 : nil } : live.start.startedBy,
        isHandedOver: isHandedOver, time: known == nil ? live.time : nil, line: number)
      let run = Run(generation: live.generation, start: live.start, started: live.time, values: [])
      runs[live.generation, default: run].values.append(value)
    }
    connections.merge(whole.connections) { $1 }
  }

  /// The request of a run; if newer ones were handed over, the newest.
  ///
  /// - Throws: `TraceFailure` if there is no such run, or its request does not decode.
  package func request<Request: Decodable>(
    ofRun generation: UInt64, as type: Request.Type
  ) throws(TraceFailure) -> Request {
    guard let run = runs[generation] else { throw TraceFailure("the recording has no run #\(generation)") }
    guard case .json(let json) = run.newest.value.request else {
      throw TraceFailure("the request of \(run.text) is recorded as text: its type is not Encodable")
    }
    do { return try ValueDecoder.decode(type, from: json) } catch {
      throw TraceFailure("the request of \(run.text) does not decode: \(error)")
    }
  }

  package func action(_ sequence: UInt64) -> ActionLine? {
    actions[sequence].flatMap { text.lines[$0].line.action }
  }

  /// The numbers of the recorded actions from a first one on, in order. Not a range, which may have large holes in a
  /// damaged or changed file.
  package func sequences(from first: UInt64) -> [UInt64] { actions.keys.filter { $0 >= first }.sorted() }

  package func lineNumber(of sequence: UInt64) -> Int? { actions[sequence].map { text.lines[$0].number } }

  /// Whether the recording is complete from the store's beginning on.
  var isWhole: Bool {
    (firstSequence == 1 || snapshot(atOrBefore: 0) != nil) && text.damage == nil
      && gaps.allSatisfy { $0.lost == $0.details }
  }

  /// The runs in the order in which they began.
  package var sortedRuns: [Run] { runs.values.sorted { $0.generation < $1.generation } }
}
