import MillraceExplorer
import MillraceTrace

extension Replay {
  /// The program's moves after the last gap of the recording, and the state before them.
  ///
  /// - Throws: `TraceFailure` if there is no snapshot of the state to begin with, or it or an action does not decode.
  func moves() throws(TraceFailure) -> (state: State, moves: [RecordedMove<Action>]) {
    if let undecodable {
      let kinds = undecodable.kinds.map { "\($0)" }.joined(separator: "; ")
      throw TraceFailure("line \(undecodable.line) does not decode: \(kinds)")
    }
    let start = text.lines.lastIndex { $0.line.losesEvents }
    var reading = MoveReading(self)
    for index in (start ?? 0)..<actions.count {
      let line = text.lines[index].line
      switch (actions[index], line) {
      case (let action?, .action(let line)): reading.reduced(action, line)
      case (_, .snapshot(let snapshot)) where snapshot.whole != nil && reading.state == nil:
        do { reading.begins(try state(of: snapshot), snapshot) } catch {
          let problem = Self.words(error)
          throw TraceFailure("the state does not decode with which the recording begins: \(problem)")
        }
      case (_, .run(let line)): reading.handle(line)
      default: break
      }
    }
    guard let state = reading.state else {
      throw TraceFailure("the recording has no whole snapshot of the state to begin with")
    }
    return (state, reading.moves)
  }
}

/// Converts the lines of a recording to moves.
private struct MoveReading<State: Sendable, Action: Sendable & Decodable> {
  private let replay: Replay<State, Action>
  private(set) var state: State?
  private(set) var moves: [RecordedMove<Action>] = []
  /// The runs that have begun, by number.
  private var runs: [UInt64: RecordedRun] = [:]
  /// The runs that have thrown. The next action of such a run is that of its failure.
  private var failed: Set<UInt64> = []

  init(_ replay: Replay<State, Action>) { self.replay = replay }

  mutating func begins(_ state: State, _ snapshot: SnapshotLine) {
    self.state = state
    for run in snapshot.whole?.sortedRuns ?? [] where !run.isStopping { begins(run.generation, run.start) }
  }

  private mutating func begins(_ generation: UInt64, _ start: RunStart) {
    runs[generation] = RecordedRun(
      generation: generation, name: start.name, isRequest: replay.isRecorded(as: start.request))
  }

  mutating func reduced(_ action: Action, _ line: ActionLine) {
    if state == nil { return }
    guard let generation = line.cause.run else {
      let text = "action \(line.sequence), \(line.kind)"
      return moves.append(RecordedMove(action: action, run: nil, text: text))
    }
    // The model has no run that began before the recording did.
    let run = runs[generation] ?? RecordedRun(generation: generation, name: "?", isRequest: { _ in false })
    let end: MoveEnd = failed.remove(generation) == nil ? .continues : .fails
    moves.append(
      RecordedMove(
        action: action, run: run, end: end,
        text: "action \(line.sequence), \(line.kind) of \(run.name) #\(generation)"))
  }

  mutating func handle(_ line: RunLine) {
    switch line.event {
    case .start(let start): begins(line.generation, start)
    case .fail: failed.insert(line.generation)
    // A run that its own action has stopped has sent all of its actions.
    case .finish, .answer:
      guard let run = runs[line.generation] else { return }
      if let last = moves.last, last.run?.generation == line.generation {
        moves[moves.count - 1].end = .returns
      } else if case .finish = line.event {
        moves.append(
          RecordedMove(
            action: nil, run: run, end: .returns, text: "the return of \(run.name) #\(line.generation)"))
      }
    // The model stops the run by itself, by its state.
    case .handOver, .withdraw, .disconnect, .returned: break
    }
  }
}

extension TraceLine {
  /// Whether events are missing here that the moves need.
  fileprivate var losesEvents: Bool {
    if case .gap(let gap) = self { gap.lost > gap.details } else { false }
  }
}
