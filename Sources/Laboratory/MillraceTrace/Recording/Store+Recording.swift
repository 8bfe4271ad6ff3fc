import Foundation
import Millrace
import MillraceDescriptors
import MillraceSpelling

extension Store {
  /// Records what the store does from now on: every action with its cause, every run with what started it, what it
  /// waited for and how it ended, everything that was fenced or refused, connections, and a snapshot of the state now and
  /// then.
  ///
  /// ```swift
  /// let recording = try store.record(to: .file("trace.jsonl"), redacting: [.type(Password.self)])
  /// ```
  ///
  /// Call it at any time, also after the program has begun: a recording begins with a snapshot of the state, the
  /// connections and the runs in progress. `millrace inspect trace.jsonl` reads it, and ``Replay`` reduces it again.
  ///
  /// On the reducer queue a recording costs one append for each event, and a copy of the state for each snapshot. Everything
  /// else is done on a queue of the recording's own. Events that wait there occupy at most about `memory` bytes: past
  /// half of that, updates and waits are left out, and past all of it everything, until the queue has caught up; how
  /// much is missing is said by a line of the recording, with a snapshot behind it. A burst of 100,000 actions on a small
  /// state, each of which ends a run and starts another, leaves out nothing by default.
  ///
  /// Actions, states and requests that are `Encodable` are recorded as JSON, others as text, which can be read and not
  /// replayed.
  ///
  /// The file has its header as this returns, and what the store does is in it as soon as the recording's queue has written
  /// it, or ``TraceRecording/flush()`` returns. So a program that is killed leaves a file that can be read and replayed; of
  /// what it did last, some may be missing.
  ///
  /// A recording that is ended in order, by `finish()`, by a shutdown or as its store is released, ends with a snapshot of
  /// the last state.
  ///
  /// - Parameters:
  ///   - destination: where the lines are kept.
  ///   - rules: what is left out. Applied before anything is kept.
  ///   - build: names the version of the program in the header.
  ///   - every: after how many actions a snapshot is taken. A large state is recorded less often: not before the actions
  ///     since the last snapshot are as large as that, and not while the snapshots that wait to be written occupy a quarter of
  ///     `memory`. With 1, which is meant for tests, a snapshot follows each action,
  ///     and a replay names the very action at which a state differs.
  ///   - verifies: whether the actions are reduced once more on the recording's queue, to find a reducer that gives
  ///     another state then. Such a reducer is reported once, and in the recording.
  ///   - memory: the bound of what waits to be written, in bytes.
  ///   - name: the name of the connection.
  /// - Throws: `TraceFailure` if the file cannot be made, and for a store of a scope, which has no state of its own.
  @discardableResult
  public func record(
    to destination: TraceDestination, redacting rules: [Redaction] = [], build: String? = nil,
    snapshotEvery every: Int = 64, verifies: Bool = true, memory: Int = 64 << 20,
    named name: String = "recording",
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(TraceFailure) -> TraceRecording {
    // Before the file is made, which replaces one that is there.
    let ofScope = TraceFailure("a scope has no recording of its own: record the store that it is a scope of")
    if isScope { throw ofScope }
    let redactor = Redactor(rules)
    let header = TraceHeader(
      program: (CommandLine.arguments.first ?? "?").split(separator: "/").last.map(String.init) ?? "?",
      build: build.map(redactor.redact), process: Int64(ProcessInfo.processInfo.processIdentifier),
      store: redactor.redact(listedName), state: Spelling.name(of: State.self),
      action: Spelling.name(of: Action.self), start: Date().timeIntervalSince1970, redactions: redactor.names,
      part: 1, every: UInt64(max(every, 1)))
    // An explorer or a replay calls `connect` functions with a store that runs nothing: no file is replaced for it.
    let sink = isWiring ? MemorySink(TraceMemory()) : try destination.makeSink()
    let book = TraceBook<State, Action>(
      header, redactor, to: sink, verifies: verifies, slow: 100_000
    ) { StandardError.write(line: "millrace: \($0)") }
    try book.begin()
    let recorder = TraceRecorder(book, memory: memory, snapshotEvery: every)
    guard let connection = connect(witness: recorder, named: name, fileID: fileID, line: line) else {
      throw ofScope
    }
    if isWiring { recorder.neverBegins() }
    return TraceRecording(connection, recorder, destination)
  }
}

extension Store {
  /// Records the store if the environment variable `MILLRACE_TRACE` names a file: the user who starts the program decides.
  /// Call it once, after the store is made, and end the program with `store.shutdown()`, which returns once all is written:
  /// of a program that only ends, the last lines may be missing.
  ///
  /// ```swift
  /// try store.recordIfAsked()
  /// ```
  ///
  /// `MILLRACE_TRACE=trace.jsonl` records to a file, `MILLRACE_TRACE=ring:trace.ring` to a flight recorder. With
  /// `snapshotEvery=1:` in front, as in `MILLRACE_TRACE=snapshotEvery=1:ring:trace.ring`, a snapshot follows each action, or
  /// each so many.
  ///
  /// - Parameters:
  ///   - rules: what is left out.
  ///   - build: names the version of the program.
  /// - Returns: the recording; `nil` if the variable is not set, or empty.
  /// - Throws: `TraceFailure` if the file cannot be made, or the variable asks for no number of actions.
  @discardableResult
  public func recordIfAsked(
    redacting rules: [Redaction] = [], build: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(TraceFailure) -> TraceRecording? {
    guard let value = ProcessInfo.processInfo.environment["MILLRACE_TRACE"], !value.isEmpty else {
      return nil
    }
    let (destination, every) = try TraceDestination.asked(by: value)
    return try record(
      to: destination, redacting: rules, build: build, snapshotEvery: every, fileID: fileID, line: line)
  }
}

/// A recording in progress. The store keeps it; releasing this does not end it.
public final class TraceRecording: Sendable {
  /// Its connection to the store.
  public let connection: Connection
  private let recorder: any AnyTraceRecorder
  private let destination: TraceDestination

  init(_ connection: Connection, _ recorder: any AnyTraceRecorder, _ destination: TraceDestination) {
    (self.connection, self.recorder, self.destination) = (connection, recorder, destination)
  }

  /// Returns when everything that the store has done so far is written, so that it survives the end of the program. Waits
  /// until the recording has begun, as its connection has its turn.
  ///
  /// - Throws: `TraceFailure` if it could not be written, or the store had ended before the recording began.
  public func flush() async throws(TraceFailure) { try await recorder.flush() }

  /// Asks the recording about everything that the store has done so far. Of a file that was begun anew, the newest is
  /// asked.
  ///
  /// - Throws: `TraceFailure` if it could not be written or read, or the store had ended before the recording began.
  public func questions() async throws(TraceFailure) -> TraceQuestions {
    try await flush()
    return try destination.questions()
  }

  /// Ends the recording in order, and returns when it is written. A store that is shut down or released does the same.
  ///
  /// - Throws: `TraceFailure` if it could not be written, or the store had ended before the recording began.
  public func finish() async throws(TraceFailure) {
    await recorder.begun()
    connection.disconnect()
    try await flush()
  }

  /// Writes what is kept to a file, as lines of JSON: of a flight recorder the last lines, of another recording all of it.
  ///
  /// - Parameter path: the path of the file, readable by its owner alone. A file that is there is replaced as a whole.
  /// - Throws: `TraceFailure` if it could not be written, or the store had ended before the recording began.
  public func writeOut(to path: String) async throws(TraceFailure) {
    try await recorder.writeOut(to: path)
  }

  /// Writes what is kept to a file whenever something of a kind happens, so that a flight recorder's lines are not replaced
  /// by later ones.
  ///
  /// ```swift
  /// let recording = try store.record(to: .ring("trace.ring"))
  /// recording.writeOut(to: "trouble.jsonl", on: [.failure, .diagnostic, .uncleanShutdown, .signal(SIGUSR1)])
  /// ```
  ///
  /// Written on the recording's own queue, once for all that happened since it last had its turn; what cannot be written is
  /// reported on standard error. A program that is killed or traps needs none of this: the ring's file remains.
  ///
  /// - Parameters:
  ///   - path: the path of the file, readable by its owner alone. Each occasion replaces it.
  ///   - occasions: on what it is written.
  public func writeOut(to path: String, on occasions: Set<TraceOccasion>) {
    recorder.addOutlet(path, occasions)
  }

  /// Writes a line of the program's own into the recording, as a mark to look for.
  public func note(_ text: String) { recorder.note("mark", text) }
}

extension TraceDestination {
  /// What the value of `MILLRACE_TRACE` asks for: a path, behind `ring:` and `snapshotEvery=N:` in any order.
  static func asked(by value: String) throws(TraceFailure) -> (destination: Self, every: Int) {
    var (path, isRing, every) = (value[...], false, 64)
    while true {
      if path.hasPrefix("ring:") {
        (path, isRing) = (path.dropFirst(5), true)
      } else if path.hasPrefix("snapshotEvery=") {
        let number = path.dropFirst(14).prefix { $0 != ":" }
        guard let actions = Int(number), actions > 0, path.count > 15 + number.count else {
          throw TraceFailure(
            "MILLRACE_TRACE=\(value) has no number of actions and path, as in snapshotEvery=1:PATH")
        }
        (path, every) = (path.dropFirst(15 + number.count), actions)
      } else {
        return (isRing ? .ring(String(path)) : .file(String(path)), every)
      }
    }
  }

  /// Reads what is there.
  func questions() throws(TraceFailure) -> TraceQuestions {
    switch kind {
    case .file(let path, _, _), .ring(let path, _): try TraceQuestions(of: path)
    case .memory(let memory): try TraceQuestions(of: memory)
    }
  }

  func makeSink() throws(TraceFailure) -> any TraceSink {
    switch kind {
    case .file(let path, let size, let count):
      FileSink(path: path, rotatingAt: size, keeping: count)
    case .ring(let path, let bytes): try RingSink(path: path, bytes: bytes)
    case .memory(let memory): MemorySink(memory)
    }
  }
}
