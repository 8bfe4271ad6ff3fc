import Millrace
import MillraceFeature

/// One pass over a recording. Pure, as are the user's reducer and request functions.
struct ReplayRun<State: Sendable, Action: Sendable & Decodable> {
  private let replay: Replay<State, Action>
  /// The feature in the current state of the replay; `nil` before the first snapshot and in a gap.
  private var feature: ReplayedFeature<State, Action>?
  private let names = ReplayedNames()
  private var payloads: PayloadMaker
  /// The decisions of the current turn that the recording has not shown yet.
  private var expected = ExpectedDecisions()
  /// A decision shown by the recording.
  private struct Recorded {
    let step: RunTransition
    let generation: UInt64
    /// The request; `nil` for a stop, which its run identifies.
    let request: String?
    /// Whether a later line explains why the run was stopped: its connection has ended.
    var isExplainedLater = false
    let effect: String
    let index: Int
  }

  /// The decisions that the recording shows in the current turn and that are not matched yet.
  private var recorded: [Recorded] = []
  /// The runs and connections of the snapshot with which the replay resumes, until the end of its turn.
  private var resumed: LiveTable?
  /// The names of effects that are not compared until their unknown runs have ended. Such a run serves no request of
  /// the state, for instance since it was stopped before the recording began. The recording does not show the run's
  /// identity, and other runs may wait for it.
  private var unknown: Set<String> = []
  private var unknownRuns = LiveTable()
  /// Decisions that the recording may show in a later turn.
  private var late = ExpectedDecisions()
  private var sequence: UInt64 = 0
  /// The last action after which states were compared.
  private var compared: UInt64 = 0
  private var lastAction: Int?
  private var isClosing = false
  /// The names of the effects whose recorded runs are to be compared.
  private var recordedNames: Set<String> = []
  /// The names of the recorded connections, by number.
  private var recordedConnections: [UInt64: String] = [:]
  /// The names of the effects, components and views that the feature connects.
  private var wired: [String] = []
  private var summary = ReplaySummary()
  private(set) var verdict: ReplayVerdict?

  init(_ replay: Replay<State, Action>) {
    self.replay = replay
    payloads = PayloadMaker(replay.redactor)
  }

  mutating func takeSummary() -> ReplaySummary {
    summary.uncomparedActions = Int(sequence - compared)
    summary.notReplayed = recordedNames.subtracting(names.connected).subtracting(names.ended).sorted()
    var recorded = Dictionary(recordedConnections.values.map { ($0, 1) }, uniquingKeysWith: +)
    summary.notRecorded = wired.filter { name in
      recorded[name, default: 0] -= 1
      return recorded[name, default: 0] < 0
    }
    .sorted()
    return summary
  }

  // MARK: Steps

  mutating func reduced(_ action: Action, _ index: Int) {
    turnEnded()
    // Actions before the first snapshot, as in a ring, and in a gap are skipped.
    guard verdict == nil, let line = replay.text.lines[index].line.action, feature != nil else { return }
    sequence = line.sequence
    lastAction = index
    summary.actions += 1
    let reducer = replay.reducer
    feature?.reduced(action, by: reducer)
    expectDecided()
  }

  mutating func handle(_ index: Int) {
    switch replay.text.lines[index].line {
    case .snapshot(let line): handle(line, index)
    case .gap(let line) where line.lost > line.details:
      linesEnded()
      (feature, late) = (nil, ExpectedDecisions())
      summary.gaps += 1
    case .run(let line): handle(line, index)
    case .connection(let line): handle(line)
    case .closing:
      // Compares the decisions made before the closing.
      turnEnded()
      isClosing = true
    case .end: turnEnded()
    default: break
    }
  }

  private mutating func handle(_ line: SnapshotLine, _ index: Int) {
    guard let feature else {
      guard let whole = line.whole else { return }
      do {
        let state = try replay.state(of: line)
        recordedConnections.merge(whole.connections.mapValues(\.name)) { $1 }
        resumed = whole
        let store = WiringStore<State, Action>(state)
        self.feature = ReplayedFeature(store, replay.wiring(of: store), names, replay.redactor)
        wired = self.feature?.wired ?? []
        (sequence, compared) = (line.sequence, line.sequence)
      } catch {
        let problem = "its state does not decode: \(Replay<State, Action>.words(error))"
        let kind = ReplayKind(name: "the state", count: 1, isRemoved: false, problem: problem)
        verdict = .doesNotDecode(line: replay.text.lines[index].number, [kind])
      }
      return
    }
    guard line.sequence == sequence, resumed == nil else { return }
    summary.snapshots += 1
    let state = payloads.payload(of: feature.store.state)
    if state == line.state {
      compared = sequence
      summary.lastComparedAction = sequence
      return
    }
    let lines = line.state.differences(to: state)
    verdict = .statesDiffer(difference(from: min(compared + 1, sequence), index, lines))
  }

  private mutating func handle(_ line: ConnectionLine) {
    let connection = line.connection
    if line.isConnected { recordedConnections[connection.number] = connection.name }
    if resumed != nil {
      resumed?.handle(line)
      return
    }
    if !line.isConnected {
      feature?.disconnected(connection.number)
      expectDecided()
      // The stops of the connection's runs are recorded before its end, which causes them. They are matched at once,
      // since the runs may return, and other actions follow.
      recorded = recorded.filter { $0.step != .stops || !isExpected($0) }
    } else if !connection.isInPart {
      feature?.connected(connection.number, named: connection.name)
      expectDecided()
    }
  }

  private mutating func handle(_ line: RunLine, _ index: Int) {
    guard feature != nil else { return }
    if case .start(let start) = line.event { recordedNames.insert(start.name) }
    if resumed != nil {
      resumed?.handle(line)
      return
    }
    if isOfUnknown(line) { return unknownRuns.handle(line) }
    switch line.event {
    case .start(let start):
      if names.connected.contains(start.name) { handle(start, of: line.generation, index) }
    case .handOver(let request): handle(.handsOver, line.generation, request.text, index)
    case .answer, .withdraw: handle(.stops, line.generation, nil, index)
    case .disconnect: handle(.stops, line.generation, nil, index, isExplainedLater: true)
    case .finish, .fail: returned(line.generation, before: start(after: index))
    case .returned: returned(line.generation)
    }
  }

  private mutating func returned(_ generation: UInt64, before start: RunStart? = nil) {
    feature?.returned(generation, before: start)
    expectDecided()
  }

  private func isOfUnknown(_ line: RunLine) -> Bool {
    if case .start(let start) = line.event { return unknown.contains(start.name) }
    return unknownRuns.runs[line.generation].map { unknown.contains($0.start.name) } ?? false
  }

  /// The run that begins next. Without an action, only a value that a run has left begins a run. Lines that other
  /// threads write in between are skipped.
  private func start(after index: Int) -> RunStart? {
    for next in replay.text.lines[(index + 1)...] {
      switch next.line {
      case .run(let line): if case .start(let start) = line.event { return start } else { return nil }
      case .wait, .updated, .note, .turnedAway, .unknown: continue
      case .gap(let line) where line.lost == line.details: continue
      case .header, .action, .connection, .snapshot, .gap, .closing, .end: return nil
      }
    }
    return nil
  }

  // MARK: Comparing

  /// Expects the recording to show the feature's decisions.
  private mutating func expectDecided() {
    for (effect, decision) in feature?.takeDecisions() ?? [] where !unknown.contains(effect) {
      if decision.step == .waits || decision.step == .discards { continue }
      let text = payloads.payload(of: decision.request).text
      expected.append(
        ExpectedDecision(
          decision: Decision(step: decision.step, effect: effect, request: text), run: decision.run,
          mayBeLate: decision.endsPart && decision.step == .stops))
    }
  }

  private mutating func handle(_ start: RunStart, of generation: UInt64, _ index: Int) {
    let decision = Decision(step: .starts, effect: start.name, request: start.request.text)
    guard let found = takeStart(decision, of: start.connection) else {
      let entry = Recorded(
        step: .starts, generation: generation, request: decision.request, effect: start.name, index: index)
      return recorded.append(entry)
    }
    feature?.bind(generation, start, to: found.run)
  }

  private mutating func takeStart(_ decision: Decision, of connection: UInt64) -> ExpectedDecision? {
    let feature = feature
    return take {
      $0.takeStart(decision, at: feature?.place(of: connection)) { feature?.connection(of: $0) != nil }
    }
  }

  private mutating func handle(
    _ step: RunTransition, _ generation: UInt64, _ request: String?, _ index: Int,
    isExplainedLater: Bool = false
  ) {
    guard let run = feature?.runs[generation] else { return }
    let entry = Recorded(
      step: step, generation: generation, request: request, isExplainedLater: isExplainedLater,
      effect: run.effect, index: index)
    if !isExpected(entry) { recorded.append(entry) }
    if let request { feature?.handedOver(request, to: generation) }
  }

  private mutating func isExpected(_ entry: Recorded) -> Bool {
    guard let run = feature?.runs[entry.generation]?.run else { return false }
    return take { $0.take(entry.step, of: run, entry.request) } != nil
  }

  /// Removes a decision from the expected ones, or from those expected late, and counts it.
  private mutating func take(
    _ take: (inout ExpectedDecisions) -> ExpectedDecision?
  ) -> ExpectedDecision? {
    let found = take(&expected) ?? take(&late)
    if found != nil { summary.decisions += 1 }
    return found
  }

  /// The following lines are missing, after a gap or since the program was killed. They may have the decisions of the
  /// last turn, and the end of a connection whose runs were stopped.
  mutating func linesEnded() {
    expected = ExpectedDecisions()
    recorded.removeAll(where: \.isExplainedLater)
    turnEnded()
  }

  /// The last turn is over: decisions left on either side are a difference.
  mutating func turnEnded() {
    if let resumed {
      self.resumed = nil
      unknownRuns = resumed
      unknown = stopping
      for connection in resumed.sortedConnections where !connection.isInPart {
        feature?.connected(connection.number, named: connection.name)
      }
      takeUp(resumed.sortedRuns)
      return
    }
    let left = expected.all
    expected = ExpectedDecisions()
    for expected in left where expected.mayBeLate { late.append(expected) }
    let missing = left.filter { !$0.mayBeLate }.map(\.decision)
    compareAgain()
    defer { recorded = [] }
    if isClosing || missing.isEmpty && recorded.isEmpty { return }
    let lines =
      recorded.map { entry in
        let request = entry.request ?? feature?.runs[entry.generation]?.request ?? "#\(entry.generation)"
        return "recorded: " + Decision(step: entry.step, effect: entry.effect, request: request).text
      }
      .sorted()
      + missing.map { "replayed: \($0.text)" }.sorted()
    verdict = .requestsDiffer(
      difference(from: sequence, recorded.first?.index ?? lastAction ?? 0, lines))
  }

  /// The names of the effects with a stopped body that has not returned.
  private var stopping: Set<String> { Set(unknownRuns.runs.values.filter(\.isStopping).map(\.start.name)) }

  /// Resumes comparing the effects whose runs are known again.
  private mutating func compareAgain() {
    let known = unknown.subtracting(stopping)
    if known.isEmpty { return }
    unknown.subtract(known)
    feature?.snapshotTakenUp(known)
    // A run that waited behind another one, and has not begun since, never will.
    takeUp(unknownRuns.sortedRuns.filter { known.contains($0.start.name) && !$0.isBehind })
  }

  /// Matches the feature's starts with the recorded runs in progress; starts without a run have finished. An effect
  /// with a run left over becomes unknown, such as one whose replaced request was ignored.
  private mutating func takeUp(_ runs: [SnapshotLine.Live]) {
    var live = LiveRuns(runs)
    for (effect, decision) in feature?.takeDecisions() ?? []
    where decision.step == .starts && !unknown.contains(effect) {
      let text = payloads.payload(of: decision.request).text
      let run = live.take(effect, text, of: feature?.connection(of: decision.run.place))
      feature?.tookUp(decision, as: run)
    }
    unknown.formUnion(live.names.intersection(names.connected))
    expected = ExpectedDecisions()
  }

  private func difference(from first: UInt64, _ index: Int, _ lines: [String]) -> ReplayDifference {
    var (action, cause) = ("before the first action", "")
    let actions = replay.text.lines[...(lastAction ?? 0)].reversed().lazy
      .compactMap(\.line.action).prefix { $0.sequence >= first }
    if first < sequence {
      let counts = ActionLine.kinds(of: actions).counts
      action = "one of \(counts.prefix(5).joined(separator: ", "))" + (counts.count > 5 ? " and others" : "")
      cause = "with no state between them"
    } else if let line = actions.first {
      let payload = line.payload.text
      action = line.kind == payload ? payload : "\(line.kind) \(payload)"
      cause =
        line.cause.run.map { "sent by run #\($0) at \(line.cause.site)" } ?? "sent at \(line.cause.site)"
    }
    let number = replay.text.lines.isEmpty ? 1 : replay.text.lines[index].number
    return ReplayDifference(
      actions: first...max(first, sequence), line: number, action: action, cause: cause, lines: lines)
  }
}
