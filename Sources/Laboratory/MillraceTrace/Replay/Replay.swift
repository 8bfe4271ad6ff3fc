import Millrace

/// Reduces a recording again with nothing running, and compares the states and the requests with those of the recorded
/// program.
///
/// ```swift
/// let replay = try Replay(of: "trace.jsonl", reduce: Search.reduce) { Search.connect($0, client: .unused) }
/// #expect(replay.verdict().isSame)
/// ```
///
/// The `connect` function is called with a store that runs nothing: no effect's body is executed, and nothing is sent.
///
/// A replay proves something only about the recorded paths. A program that replays all of its recordings may still do
/// something new. Made and used by one thread at a time.
public struct Replay<State: Sendable, Action: Sendable & Decodable> {
  package let text: TraceText
  /// The decoded action of each line; `nil` for a line without one.
  package let actions: [Action?]
  let redactor: Redactor
  let reducer: Reducer<State, Action>
  /// Connects the feature; `nil` if only states are compared.
  private let connect: ((Store<State, Action>) -> Void)?
  /// The state before the first action that the caller has given instead of the recorded one.
  private let initialState: State?
  /// The first line whose action does not decode, and the cases of all such actions.
  package let undecodable: (line: Int, kinds: [ReplayKind])?

  /// Reads a file and decodes its actions.
  ///
  /// - Parameters:
  ///   - path: the path of a file or of a flight recorder's file.
  ///   - rules: the redactions of the recording, since requests and states are compared as they were recorded.
  ///   - reduce: the feature's reducer.
  ///   - connect: connects the feature, as the program does at its start. Without it only states are compared.
  /// - Throws: `TraceFailure` if the file cannot be read, is no recording, or was recorded with other redactions.
  public init(
    of path: String, redacting rules: [Redaction] = [], reduce: @escaping Reducer<State, Action>,
    connect: ((Store<State, Action>) -> Void)? = nil
  ) throws(TraceFailure) where State: Decodable {
    try self.init(TraceText(contentsOf: path), from: nil, path, rules, reduce, connect)
  }

  /// Reads a recording in memory.
  ///
  /// - Parameters:
  ///   - recording: the recording. If it is still in progress, it is read up to now.
  ///   - rules: the redactions of the recording.
  ///   - reduce: the feature's reducer.
  ///   - connect: connects the feature, as the program does at its start.
  /// - Throws: `TraceFailure` if it is empty, or was recorded with other redactions.
  public init(
    of recording: TraceMemory, redacting rules: [Redaction] = [], reduce: @escaping Reducer<State, Action>,
    connect: ((Store<State, Action>) -> Void)? = nil
  ) throws(TraceFailure) where State: Decodable {
    try self.init(TraceText(recorded: recording.bytes), from: nil, "the recording", rules, reduce, connect)
  }

  /// Reads a file, and begins with a given state instead of the recorded one, for a program whose states cannot be
  /// decoded or are redacted.
  ///
  /// The given state replaces only the one before the first action. After a gap, and in a recording that began late,
  /// the recorded state is decoded. If that fails, since the type is not `Decodable`, the verdict is
  /// ``ReplayVerdict/doesNotDecode(line:_:)``, and calls that return a state throw.
  ///
  /// - Parameters:
  ///   - path: the path of a file.
  ///   - initialState: the state before the first action.
  ///   - rules: the redactions of the recording.
  ///   - reduce: the feature's reducer.
  ///   - connect: connects the feature, as the program does at its start.
  /// - Throws: `TraceFailure` as the other initializer does.
  public init(
    of path: String, from initialState: State, redacting rules: [Redaction] = [],
    reduce: @escaping Reducer<State, Action>, connect: ((Store<State, Action>) -> Void)? = nil
  ) throws(TraceFailure) {
    try self.init(TraceText(contentsOf: path), from: initialState, path, rules, reduce, connect)
  }

  /// Reads a recording in memory, and begins with a given state instead of the recorded one, as the initializer for a
  /// file does.
  ///
  /// - Parameters:
  ///   - recording: a recording.
  ///   - initialState: the state before the first action.
  ///   - rules: the redactions of the recording.
  ///   - reduce: the feature's reducer.
  ///   - connect: connects the feature, as the program does at its start.
  /// - Throws: `TraceFailure` as the other initializer does.
  public init(
    of recording: TraceMemory, from initialState: State, redacting rules: [Redaction] = [],
    reduce: @escaping Reducer<State, Action>, connect: ((Store<State, Action>) -> Void)? = nil
  ) throws(TraceFailure) {
    let text = try TraceText(recorded: recording.bytes)
    try self.init(text, from: initialState, "the recording", rules, reduce, connect)
  }

  private init(
    _ text: TraceText, from initialState: State?, _ path: String, _ rules: [Redaction],
    _ reduce: @escaping Reducer<State, Action>, _ connect: ((Store<State, Action>) -> Void)?
  ) throws(TraceFailure) {
    redactor = Redactor(rules)
    if Set(text.header.redactions) != Set(redactor.names) {
      let names = text.header.redactions.joined(separator: ", ")
      throw TraceFailure("\(path) is redacted by [\(names)]; give a replay the same rules")
    }
    self.text = text
    (self.initialState, reducer, self.connect) = (initialState, reduce, connect)
    var actions: [Action?] = Array(repeating: nil, count: text.lines.count)
    var kinds: [String: (count: Int, isRemoved: Bool, problem: String)] = [:]
    var firstLine: Int?
    for (index, line) in text.lines.enumerated() {
      guard let action = line.line.action else { continue }
      do {
        guard case .json(let json) = action.payload else {
          throw TraceFailure("actions are recorded as text: the type is not Encodable")
        }
        actions[index] = try ValueDecoder.decode(Action.self, from: json)
      } catch {
        firstLine = firstLine ?? line.number
        kinds[action.kind, default: (0, Self.tellsOfNoCase(error), Self.words(error))].count += 1
      }
    }
    self.actions = actions
    undecodable = firstLine.map { line in
      (
        line,
        kinds.map { ReplayKind(name: $0, count: $1.count, isRemoved: $1.isRemoved, problem: $1.problem) }
          .sorted { $0.name < $1.name }
      )
    }
  }

  /// Whether the compiler's own decoding of an enum found no such case.
  private static func tellsOfNoCase(_ error: any Error) -> Bool {
    guard case DecodingError.typeMismatch(_, let context) = error else { return false }
    return context.debugDescription.contains("Invalid number of keys")
  }

  /// The problem of an error in words.
  package static func words(_ error: any Error) -> String {
    let (problem, place): (String, DecodingError.Context)
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      (problem, place) = (context.debugDescription, context)
    case DecodingError.keyNotFound(let key, let context):
      (problem, place) = ("no '\(key.stringValue)'", context)
    default: return "\(error)"
    }
    let path = place.codingPath.map(\.stringValue).filter { $0 != "_0" }.joined(separator: ".")
    return problem + (path.isEmpty ? "" : " in \(path)")
  }

  // MARK: Replaying

  /// Replays the recording up to the first difference.
  ///
  /// Costs the reductions of the actions, the calls of the feature's request functions, and the comparison of each
  /// recorded snapshot.
  ///
  /// - Parameter names: the names of recorded effects that `connect` does not connect; their runs are not compared. If
  ///   another effect has recorded runs and is not connected, or was renamed, the verdict is
  ///   ``ReplayVerdict/notReplayed(_:)``.
  public func verdict(without names: Set<String> = []) -> ReplayVerdict {
    if let undecodable { return .doesNotDecode(line: undecodable.line, undecodable.kinds) }
    var run = ReplayRun(self)
    let hole = hole
    for (index, action) in actions.prefix(hole?.end ?? actions.count).enumerated() {
      if let action { run.reduced(action, index) } else { run.handle(index) }
      if let verdict = run.verdict { return verdict }
    }
    run.linesEnded()
    if let verdict = run.verdict { return verdict }
    let summary = run.takeSummary()
    if connect != nil, !names.isSuperset(of: summary.notReplayed) { return .notReplayed(summary) }
    if let damage = hole?.damage ?? text.damage {
      return .damaged(afterLine: damage.line - 1, problem: damage.problem)
    }
    return .same(summary)
  }

  /// A missing action without a line about a gap, in a recording whose lines have no numbers. `end` is the number of
  /// lines up to the action before; `damage` describes the problem. The lines after that action may belong to the
  /// missing one.
  private var hole: (end: Int, damage: TraceText.Damage)? {
    var last: (sequence: UInt64, index: Int)?
    for (index, line) in text.lines.enumerated() {
      switch line.line {
      case .gap(let gap) where gap.lost > gap.details: last = nil
      case .snapshot(let snapshot) where snapshot.whole != nil: last = last ?? (snapshot.sequence, index)
      case .action(let action):
        guard let before = last else { continue }
        let due = before.sequence &+ 1
        if action.sequence != due {
          let problem = "has action \(action.sequence) where action \(due) is due: a line is missing"
          return (before.index + 1, TraceText.Damage(line: line.number, problem: problem))
        }
        last = (action.sequence, index)
      default: break
      }
    }
    return nil
  }

  /// Returns the state after an action, to inspect it or to continue from it in a test. Reduces the actions after the
  /// last snapshot before it.
  ///
  /// - Parameter sequence: the number of the action; 0 is the state before the first.
  /// - Throws: `TraceFailure` if the recording does not have that state.
  public func state(at sequence: UInt64) throws(TraceFailure) -> State { try state(after: sequence) }

  /// The number of the last action of the recording; `nil` if it has none.
  public var lastAction: UInt64? { text.lines.reversed().lazy.compactMap(\.line.action).first?.sequence }

  /// Returns the state after the last action, to continue from after a restart. Reduces the actions after the last
  /// snapshot.
  ///
  /// ```swift
  /// let state = try? Replay(of: "trace.jsonl", reduce: Search.reduce).lastState()
  /// ```
  ///
  /// - Throws: `TraceFailure` if the recording has no snapshot, if the last one or an action after it does not decode,
  ///   or if an action after it is missing. An incomplete last line is no failure. A damaged recording counts up to the
  ///   damage.
  public func lastState() throws(TraceFailure) -> State { try state(after: nil) }

  /// The state after an action, or after the last one.
  private func state(after wanted: UInt64?) throws(TraceFailure) -> State {
    var last: (snapshot: SnapshotLine, index: Int)?
    for (index, line) in text.lines.enumerated() {
      guard case .snapshot(let snapshot) = line.line, isKnown(snapshot), snapshot.sequence <= wanted ?? .max
      else { continue }
      last = (snapshot, index)
    }
    guard let last else { throw TraceFailure("the recording has no snapshot of a state that can be decoded") }
    var state: State
    do { state = try self.state(of: last.snapshot) } catch {
      throw TraceFailure("the last snapshot does not decode: \(Self.words(error))")
    }
    var sequence = last.snapshot.sequence
    for index in actions.indices where index > last.index && sequence != wanted {
      if case .gap(let gap) = text.lines[index].line, gap.lost > gap.details {
        throw TraceFailure("\(gap.lost) events behind the last snapshot are missing")
      }
      guard let line = text.lines[index].line.action, line.sequence > sequence else { continue }
      guard let action = actions[index] else {
        throw TraceFailure("action \(line.sequence), \(line.kind), does not decode")
      }
      guard line.sequence == sequence &+ 1 else {
        throw TraceFailure("action \(sequence &+ 1), behind the last snapshot, is missing")
      }
      reducer(&state, action)
      sequence = line.sequence
    }
    if let wanted, wanted != sequence {
      throw TraceFailure("the recording does not have the state after action \(wanted)")
    }
    return state
  }

  /// Whether the state of a snapshot is known without the actions before it.
  func isKnown(_ snapshot: SnapshotLine) -> Bool {
    if snapshot.sequence == 0, initialState != nil { return true }
    if case .json = snapshot.state { return State.self is any Decodable.Type }
    return false
  }

  /// The state of a snapshot: the given one, or the recorded one.
  package func state(of snapshot: SnapshotLine) throws -> State {
    if snapshot.sequence == 0, let initialState { return initialState }
    guard case .json(let json) = snapshot.state else { throw TraceFailure("it is recorded as text") }
    guard let type = State.self as? any Decodable.Type,
      let state = try ValueDecoder.decode(type, from: json) as? State
    else { throw TraceFailure("\(State.self) is not Decodable") }
    return state
  }

  /// Returns a closure that checks whether a request, recorded with the same redactions, gives this payload.
  package func isRecorded(as payload: Payload) -> @Sendable (any Hashable & Sendable) -> Bool {
    let redactor = redactor
    return { request in
      var maker = PayloadMaker(redactor)
      return maker.payload(of: request) == payload
    }
  }

  func wiring(of store: WiringStore<State, Action>) -> Wiring { store.wiring(of: connect ?? { _ in }) }
}
