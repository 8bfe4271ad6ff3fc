/// What a recording tells, ready to be asked. Pure.
package struct TraceHistory: Sendable {
  /// One run.
  package struct Run: Sendable {
    package let generation: UInt64
    package var start: RunStart
    /// The line of its start; `nil` if that was before the recording.
    package var line: Int?
    package var started: UInt64?
    package var end: (event: RunLine.Event, time: UInt64, line: Int)?
    /// When its body returned, if that was later.
    package var returned: UInt64?
    package var reduced = 0
    package var fenced = 0
    package var waits: [Wait] = []

    /// Whether its body has not returned, as far as is recorded.
    package var isOpen: Bool {
      guard let end else { return true }
      switch end.event {
      case .answer, .withdraw, .disconnect: return returned == nil
      default: return false
      }
    }
    /// When its body returned.
    package var over: UInt64? { isOpen ? nil : returned ?? end?.time }
    /// The run with its whole request, to be searched: `FetchEffect #7 ("swift")`.
    package var fullText: String { "\(start.name) #\(generation) (\(start.request.text))" }
    /// The run as people read it.
    package var text: String {
      let request = start.request.text
      return "\(start.name) #\(generation) (\(request.count > 120 ? request.prefix(117) + "…" : request))"
    }
  }

  package struct Wait: Sendable {
    package let number: UInt64
    package let reason: String
    package let begin: UInt64
    package var end: UInt64?
  }

  package let text: TraceText
  /// The lines of actions, by sequence number.
  package private(set) var actions: [UInt64: Int] = [:]
  package private(set) var runs: [UInt64: Run] = [:]
  package private(set) var connections: [UInt64: SnapshotLine.Connected] = [:]
  package private(set) var turnedAway: [Int] = []
  package private(set) var snapshots: [Int] = []
  package private(set) var gaps: [GapLine] = []
  package private(set) var notes: [Int] = []
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
    case .turnedAway: turnedAway.append(index)
    case .connection(let line) where line.isConnected:
      connections[line.number] = SnapshotLine.Connected(
        number: line.number, name: line.name, site: line.site, slice: nil, isInPart: line.isInPart)
    case .snapshot(let line):
      snapshots.append(index)
      lastSequence = max(lastSequence, line.sequence)
      if let whole = line.whole { handle(whole) }
    case .gap(let line): gaps.append(line)
    case .note: notes.append(index)
    case .wait(let line): handle(line)
    case .end: isFinished = true
    default: break
    }
  }

  private mutating func handle(_ line: RunLine, _ number: Int) {
    switch line.event {
    case .start(let start):
      runs[line.generation] = Run(generation: line.generation, start: start, line: number, started: line.time)
    case .handOver(let request): runs[line.generation]?.start.request = request
    case .returned(let fenced):
      runs[line.generation]?.returned = line.time
      runs[line.generation]?.fenced = fenced
    default:
      runs[line.generation]?.end = (line.event, line.time, number)
      runs[line.generation]?.reduced = line.reduced ?? 0
    }
  }

  private mutating func handle(_ line: WaitLine) {
    if let reason = line.reason {
      runs[line.generation]?.waits.append(Wait(number: line.number, reason: reason, begin: line.time))
    } else if let index = runs[line.generation]?.waits.lastIndex(where: { $0.number == line.number }) {
      runs[line.generation]?.waits[index].end = line.time
    }
  }

  private mutating func handle(_ whole: SnapshotLine.Whole) {
    for live in whole.runs where runs[live.generation] == nil {
      runs[live.generation] = Run(
        generation: live.generation, start: live.start, line: nil, started: live.time)
    }
    for connection in whole.connections { connections[connection.number] = connection }
  }

  /// The request of a run, the newest where others were handed over to it.
  ///
  /// - Throws: `TraceFailure` if there is no such run, or its request does not decode.
  package func request<Request: Decodable>(
    ofRun generation: UInt64, as type: Request.Type
  ) throws(TraceFailure) -> Request {
    guard let run = runs[generation] else { throw TraceFailure("the recording has no run #\(generation)") }
    guard case .json(let json) = run.start.request else {
      throw TraceFailure("the request of \(run.text) is recorded as text: its type is not Encodable")
    }
    do { return try ValueDecoder.decode(type, from: json) } catch {
      throw TraceFailure("the request of \(run.text) does not decode: \(error)")
    }
  }

  package func action(_ sequence: UInt64) -> ActionLine? {
    guard let index = actions[sequence], case .action(let line) = text.lines[index].line else { return nil }
    return line
  }

  /// The numbers of the actions from a first one on, in order. A range of numbers may have holes, which are as large as a
  /// file says.
  package func sequences(from first: UInt64) -> [UInt64] { actions.keys.filter { $0 >= first }.sorted() }

  package func lineNumber(of sequence: UInt64) -> Int? { actions[sequence].map { text.lines[$0].number } }

  /// The runs in the order in which they began.
  package var sortedRuns: [Run] { runs.values.sorted { $0.generation < $1.generation } }
}
