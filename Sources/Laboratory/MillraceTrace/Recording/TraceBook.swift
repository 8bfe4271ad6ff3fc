import Millrace
import MillraceSpelling

/// What a recorder has to know about the lines written.
struct TraceReport {
  var eventBytes = 200
  /// The size of the last snapshot; `nil` if none was written.
  var snapshot: (sequence: UInt64, bytes: Int)?
  var wantsSnapshot = false
  /// The occasions for writing out the recording that have happened.
  var occasions: Set<TraceOccasion> = []
}

/// Turns the events of a recorder into lines, and writes them. Used only on the recorder's queue.
final class TraceBook<State: Sendable, Action: Sendable> {
  private let sink: any TraceSink
  private var header: TraceHeader
  private let report: @Sendable (String) -> Void
  private var payloads: PayloadMaker
  private let verifies: Bool
  private let slow: UInt64
  private var fold: ShadowFold<State, Action>?
  private var table = LiveTable()
  private var waits: [ObjectIdentifier: UInt64] = [:]
  private var waitCount: UInt64 = 0
  private var start: UInt64 = 0
  /// The number of the last action.
  private var sequence: UInt64 = 0
  private var bytes: [UInt8] = []
  private var (lines, lineBytes) = (0, 0)
  /// The number of the last line.
  private var number: UInt64 = 0
  private var hasLeftOut = false
  private var latest = TraceReport()
  private(set) var failure: TraceFailure?

  /// - Parameters:
  ///   - verifies: whether to reduce the actions a second time.
  ///   - slow: the nanoseconds from which on the duration of a reduction is recorded.
  ///   - report: reports a finding, or that the recording has failed.
  init(
    _ header: TraceHeader, _ redactor: Redactor, to sink: any TraceSink, verifies: Bool, slow: UInt64,
    report: @escaping @Sendable (String) -> Void
  ) {
    (self.header, self.sink, self.verifies, self.slow) = (header, sink, verifies, slow)
    self.report = report
    payloads = PayloadMaker(redactor)
  }

  /// Sets the store's reducer. Called first.
  func began(_ reducer: @escaping Reducer<State, Action>) { if verifies { fold = ShadowFold(reducer) } }

  func takeReport() -> TraceReport {
    defer { (latest.snapshot, latest.occasions) = (nil, []) }
    latest.eventBytes = lines > 0 ? lineBytes / lines : 200
    latest.wantsSnapshot = sink.wantsBeginning(after: 0) || hasLeftOut
    return latest
  }

  func write(_ items: [SeenItem.Timed], lostDetails: Int) {
    if failure != nil { return }
    for (time, item) in items { write(item, at: micros(time)) }
    if lostDetails > 0, let time = items.last?.time {
      append(.gap(GapLine(time: micros(time), lost: lostDetails, details: lostDetails)))
    }
    flush()
  }

  private func micros(_ time: UInt64) -> UInt64 {
    if start == 0 { start = time }
    return time > start ? (time - start) / 1000 : 0
  }

  /// - Returns: the size of the line in bytes.
  @discardableResult
  private func append(_ line: TraceLine) -> Int {
    let isSnapshot = if case .snapshot = line { true } else { false }
    let new = LineWriter.bytes(of: line, number: number + 1)
    if new.count <= sink.longest {
      number += 1
      bytes += new
      if !isSnapshot { (lines, lineBytes) = (lines + 1, lineBytes + new.count) }
      // Keeps each write and the buffer small.
      if bytes.count > 1 << 16 { flush() }
    } else if !isSnapshot {
      // If a snapshot is too large, the one before remains valid. After any other missing line a snapshot is due.
      hasLeftOut = true
      append(.gap(GapLine(time: line.time ?? 0, lost: 1, details: 0)))
    }
    return new.count
  }

  private func flush() {
    if bytes.isEmpty || failure != nil { return }
    do throws(TraceFailure) { try sink.write(bytes) } catch { fail(error) }
    bytes.removeAll(keepingCapacity: true)
  }

  func contents() throws(TraceFailure) -> [UInt8] { try sink.contents() }

  /// Copies the recording to a file, and reports a failure.
  func writeOut(to path: String) {
    do { try FileSink.replace(path, with: contents()) } catch {
      report("the recording is not written out: \(error)")
    }
  }

  private func fail(_ failure: TraceFailure) {
    self.failure = failure
    report("the recording has ended: \(failure)")
  }

  // MARK: Items

  private func write(_ item: SeenItem, at time: UInt64) {
    switch item {
    case .moment(let state, let moment, let gap):
      if let gap {
        append(.gap(GapLine(time: time, lost: gap.lost, details: gap.details)))
        fold?.lost()
      }
      handle(moment)
      snapshot(state, moment.sequence, at: time, isWhole: true)
    case .action(let action, let turn):
      writeAction(action, turn, at: time)
      if fold != nil, let action = action as? Action { fold?.reduced(action) }
    case .state(let state, let sequence, let isLast):
      // The last snapshot goes into the same file as the actions before it.
      snapshot(
        state, sequence, at: time, begins: !isLast && sink.wantsBeginning(after: bytes.count),
        isWhole: sink.forgets)
    case .event(let event): write(event, at: time)
    case .wait(let wait): write(wait, at: time)
    case .closing: append(.closing(time: time))
    case .note(let kind, let text): append(.note(NoteLine(kind: kind, text: redact(text), time: time)))
    case .diagnostic(let diagnostic):
      latest.occasions.insert(.diagnostic)
      append(.note(NoteLine(kind: NoteLine.diagnostic, text: text(of: diagnostic), time: time)))
    case .ended(let isClosing):
      if isClosing, !table.runs.isEmpty { latest.occasions.insert(.uncleanShutdown) }
      append(.end(time: time))
      flush()
    }
    for type in payloads.takeSpelledTypes() {
      append(.note(NoteLine(kind: "text only", text: redact(type), time: time)))
    }
  }

  private func redact(_ text: String) -> String { payloads.redactor.redact(text) }

  /// With rules for values the message is left out, since it may spell such values, which the rules cannot find in a
  /// text.
  private func text(of diagnostic: StoreDiagnostic) -> String {
    payloads.redactor.looksIntoValues
      ? "\(diagnostic.site): \(diagnostic.kind)" : redact("\(diagnostic)")
  }

  private func writeAction(_ action: any Sendable, _ turn: WitnessedTurn, at time: UInt64) {
    let payload = payloads.payload(of: action)
    sequence = turn.sequence
    append(
      .action(
        ActionLine(
          sequence: turn.sequence, time: time, payload: payload, givenKind: kind(of: action, payload),
          cause: CauseFields(
            site: "\(turn.site)", run: turn.run?.generation, startedBy: turn.run?.startedBy),
          duration: turn.duration >= slow ? turn.duration : nil)))
  }

  /// The case of an action whose payload is text; `nil` for JSON, which contains the case.
  private func kind(of action: Any, _ payload: Payload) -> String? {
    guard case .text = payload else { return nil }
    let kind = Spelling.kind(of: action)
    let name = kind.dropFirst(Spelling.name(of: type(of: action)).count)
    return redact(name.isEmpty ? kind : String(name))
  }

  private func write(_ event: StoreEvent.Kind, at time: UInt64) {
    switch event {
    case .turnedAway(let action, let fate, let cause):
      let payload = payloads.payload(of: action)
      append(
        .turnedAway(
          TurnedAwayLine(
            fate: "\(fate)", time: time, payload: payload, givenKind: kind(of: action, payload),
            cause: fields(of: cause))))
    case .runStarted(let run, let startedBy): write(run, .start(start(of: run, startedBy)), at: time)
    case .runHandedOver(let run, let request):
      write(run, .handOver(payloads.payload(of: request)), at: time)
    case .runEnded(let run, let ending, let reduced):
      write(run, self.event(of: ending), at: time, reduced: reduced)
    case .runReturned(let run, let fenced): write(run, .returned(fenced: fenced), at: time)
    case .connected(let connection): write(connection, isConnected: true, at: time)
    case .disconnected(let connection): write(connection, isConnected: false, at: time)
    case .updated(let connection, let sequence):
      append(.updated(connection: connection.number, sequence: sequence, time: time))
    case .willReduce, .didReduce: break
    }
  }

  private func write(_ run: RunIdentity, _ event: RunLine.Event, at time: UInt64, reduced: Int? = nil) {
    let line = RunLine(generation: run.generation, time: time, event: event, reduced: reduced)
    table.handle(line, after: sequence)
    if case .fail = event { latest.occasions.insert(.failure) }
    append(.run(line))
  }

  private func start(of run: RunIdentity, _ startedBy: UInt64?) -> RunStart {
    RunStart(
      name: redact(run.name), connection: run.connection, startedBy: startedBy,
      request: payloads.payload(of: run.request))
  }

  private func event(of ending: StoreEvent.Ending) -> RunLine.Event {
    switch ending {
    case .finished: .finish
    case .answered(let action): .answer(by: action)
    case .withdrawn(let action): .withdraw(by: action)
    case .failed(let error, _): .fail(error: payloads.redactor.text(of: error))
    case .disconnected: .disconnect
    }
  }

  private func fields(of cause: ActionCause) -> CauseFields {
    switch cause {
    case .run(let run, let startedBy, let site):
      CauseFields(site: "\(site)", run: run.generation, startedBy: startedBy)
    case .outside(let site): CauseFields(site: "\(site)")
    }
  }

  private func write(_ connection: ConnectionIdentity, isConnected: Bool, at time: UInt64) {
    var connected = connected(connection)
    if !isConnected { connected.isInPart = false }
    let line = ConnectionLine(connection: connected, isConnected: isConnected, time: time)
    table.handle(line)
    append(.connection(line))
  }

  private func connected(_ connection: ConnectionIdentity, slice: String? = nil) -> SnapshotLine.Connected {
    SnapshotLine.Connected(
      number: connection.number, name: redact(connection.name), site: "\(connection.site)", slice: slice,
      isInPart: connection.isInPart)
  }

  private func write(_ wait: WitnessedWait, at time: UInt64) {
    if let reason = wait.reason {
      waitCount += 1
      waits[wait.identity] = waitCount
      append(
        .wait(
          WaitLine(generation: wait.generation, number: waitCount, time: time, reason: redact(reason()))))
    } else if let number = waits.removeValue(forKey: wait.identity) {
      append(.wait(WaitLine(generation: wait.generation, number: number, time: time)))
    }
  }

  // MARK: Snapshots

  private func handle(_ moment: WitnessedMoment) {
    let known = table.runs
    sequence = moment.sequence
    let runs = moment.runs.map { run in
      var start = start(of: run.identity, run.startedBy)
      var handed: UInt64?
      if let newest = run.newest {
        start.request = payloads.payload(of: newest)
        let before = known[run.identity.generation]
        handed = before?.start.request == start.request ? before?.handed : 0
      }
      return SnapshotLine.Live(
        generation: run.identity.generation, start: start, time: nil, isStopping: run.isStopping,
        isBehind: run.isBehind, handed: handed)
    }
    let connections = moment.connections.map { connected($0.identity, slice: $0.slice) }
    table = LiveTable(runs: runs, connections: connections)
  }

  private func snapshot(
    _ state: any Sendable, _ sequence: UInt64, at time: UInt64, begins: Bool = false, isWhole: Bool = false
  ) {
    let payload = payloads.payload(of: state)
    var maker = payloads
    let differs = fold?.handle(state as? State, after: sequence) { computed, real in
      areEqualIfComparable(computed, real) ?? (maker.payload(of: computed) == payload)
    }
    if begins {
      flush()
      do throws(TraceFailure) { if failure == nil { try begin() } } catch { fail(error) }
    }
    hasLeftOut = false
    let count = append(
      .snapshot(
        SnapshotLine(
          sequence: sequence, time: time, state: payload,
          whole: begins || isWhole ? table : nil)))
    latest.snapshot = (sequence, count)
    guard let differs else { return }
    let text = "between actions \(differs.lowerBound) and \(differs.upperBound)"
    append(.note(NoteLine(kind: "not deterministic", text: text, time: time)))
    report("the reducer of \(header.store) gives another state when its actions are reduced again, \(text)")
  }

  /// Begins a file with its header. The caller of `record` begins the first one, before any event.
  func begin() throws(TraceFailure) {
    // A ring has one header, and continues to count after it.
    if !sink.forgets { number = 1 }
    let line = LineWriter.bytes(of: .header(header), number: sink.forgets ? nil : number)
    header.part += 1
    try sink.begin(line)
  }
}
