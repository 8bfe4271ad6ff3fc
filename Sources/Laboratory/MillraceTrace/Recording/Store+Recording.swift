import Foundation
import Millrace
import MillraceDescriptors
import MillraceSpelling

extension Store {
  /// Records what the store does from now on. The recording contains every action with its cause, and every run with
  /// its start, waits and end. It also contains every fenced or refused action, all connections, and snapshots of the
  /// state.
  ///
  /// ```swift
  /// let recording = try store.record(to: .file("trace.jsonl"), redacting: [.type(Password.self)])
  /// ```
  ///
  /// Call it at any time, even after the program has begun. The recording begins with a snapshot of the state, the
  /// connections and the runs in progress. `millrace inspect trace.jsonl` reads it, and ``Replay`` reduces it again.
  ///
  /// On the reducer queue, recording costs one append for each event, and a copy of the state for each snapshot. The
  /// rest happens on the recording's own queue. Events that wait there occupy at most about `memory` bytes. Above half
  /// of that, updates and waits are dropped; above all of it, everything is dropped until the queue has caught up. A
  /// line of the recording then says how many events are missing, and a snapshot follows. By default a burst of 100,000
  /// actions on a small state, each of which ends a run and starts another, loses nothing.
  ///
  /// `Encodable` actions, states and requests are recorded as JSON. Others are recorded as text, which can be read but
  /// not replayed.
  ///
  /// When this returns, the file has its header. An event is in the file as soon as the recording's queue has written
  /// it, or ``TraceRecording/flush()`` has returned. So a killed program leaves a file that can be read and replayed,
  /// possibly without its last events.
  ///
  /// A recording ends with a snapshot of the last state if it is ended in order: by `finish()`, by a shutdown or by the
  /// release of its store.
  ///
  /// - Parameters:
  ///   - destination: the place where the lines are stored.
  ///   - rules: the data to leave out. Applied before anything is stored.
  ///   - build: names the version of the program in the header.
  ///   - every: the number of actions between two snapshots. A large state is recorded less often: not before the
  ///     actions since the last snapshot are as large as the state, and not while waiting snapshots occupy a quarter of
  ///     `memory`. With 1, meant for tests, a snapshot follows each action, and a replay names the very action at which
  ///     a state differs.
  ///   - verifies: whether the recording's queue reduces the actions a second time, to find a reducer that is not
  ///     deterministic. Such a reducer is reported once, and in the recording.
  ///   - memory: the bound of the events that wait to be written, in bytes.
  ///   - name: the name of the connection.
  /// - Throws: `TraceFailure` if the file cannot be made, and for a store of a scope, which has no state of its own.
  @discardableResult
  public func record(
    to destination: TraceDestination, redacting rules: [Redaction] = [], build: String? = nil,
    snapshotEvery every: Int = 64, verifies: Bool = true, memory: Int = 64 << 20,
    named name: String = "recording",
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(TraceFailure) -> TraceRecording {
    // Checked before the file is made, which replaces an existing one.
    let ofScope = TraceFailure("a scope has no recording of its own: record the store that it is a scope of")
    if isScope { throw ofScope }
    let redactor = Redactor(rules)
    let header = TraceHeader(
      program: (CommandLine.arguments.first ?? "?").split(separator: "/").last.map(String.init) ?? "?",
      build: build.map(redactor.redact), process: Int64(ProcessInfo.processInfo.processIdentifier),
      store: redactor.redact(listedName), state: Spelling.name(of: State.self),
      action: Spelling.name(of: Action.self), start: Date().timeIntervalSince1970, redactions: redactor.names,
      part: 1, every: UInt64(max(every, 1)))
    // Explorers and replays call `connect` functions with a store that runs nothing. For such a store no file is
    // replaced.
    let sink = isWiring ? TraceMemory() : try destination.makeSink()
    let book = TraceBook<State, Action>(
      header, redactor, to: sink, verifies: verifies, slow: 100_000
    ) { StandardError.write(line: "millrace: \($0)") }
    try book.begin()
    let recorder = TraceRecorder(book, memory: memory, snapshotEvery: every)
    guard let connection = connect(witness: recorder, named: name, fileID: fileID, line: line) else {
      throw ofScope
    }
    if isWiring { recorder.neverBegins() }
    return TraceRecording(connection, recorder)
  }

  /// Records the store if the environment variable `MILLRACE_TRACE` names a file, so that the user who starts the
  /// program decides. Call it once, after making the store. End the program with `store.shutdown()`, which returns once
  /// all is written. If the program ends without it, the last lines may be missing.
  ///
  /// ```swift
  /// try store.recordIfAsked()
  /// ```
  ///
  /// `MILLRACE_TRACE=trace.jsonl` records to a file, `MILLRACE_TRACE=ring:trace.ring` to a flight recorder. A prefix
  /// such as `snapshotEvery=1:`, as in `MILLRACE_TRACE=snapshotEvery=1:ring:trace.ring`, sets the number of actions
  /// between two snapshots.
  ///
  /// - Parameters:
  ///   - rules: the data to leave out.
  ///   - build: names the version of the program.
  /// - Returns: the recording; `nil` if the variable is not set, or empty.
  /// - Throws: `TraceFailure` if the file cannot be made, or if `snapshotEvery=` is not followed by a number.
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
  /// The recording's connection to the store.
  public let connection: Connection
  private let recorder: any AnyTraceRecorder

  init(_ connection: Connection, _ recorder: any AnyTraceRecorder) {
    (self.connection, self.recorder) = (connection, recorder)
  }

  /// Returns once everything that the store has done so far is written, so that it survives the end of the program.
  /// Waits until the recording has begun, which is when its connection has its turn.
  ///
  /// - Throws: `TraceFailure` if the recording could not be written, or the store had ended before the recording began.
  public func flush() async throws(TraceFailure) { try await recorder.flush() }

  /// Returns answers about everything that the store has done so far. After a rotation, only the newest file is read.
  /// What happens while it is read, in time proportional to its size, is written after it.
  ///
  /// - Throws: `TraceFailure` if the recording could not be written or read, or the store had ended before the
  ///   recording began.
  public func questions() async throws(TraceFailure) -> TraceQuestions {
    try TraceQuestions(of: TraceText(recorded: await recorder.contents()))
  }

  /// Ends the recording in order, and returns once it is written. Shutting down or releasing the store does the same.
  ///
  /// - Throws: `TraceFailure` if the recording could not be written, or the store had ended before the recording began.
  public func finish() async throws(TraceFailure) {
    await recorder.begun()
    connection.disconnect()
    try await flush()
  }

  /// Writes the recording to a file, as lines of JSON. Of a flight recorder these are the lines that it still has.
  ///
  /// - Parameter path: the path of the file, which only its owner can read. An existing file is replaced as a whole.
  /// - Throws: `TraceFailure` if the file could not be written, or the store had ended before the recording began.
  public func writeOut(to path: String) async throws(TraceFailure) {
    try await recorder.writeOut(to: path)
  }

  /// Writes the recording to a file on each occasion, so that a flight recorder's lines are not lost to later ones.
  ///
  /// ```swift
  /// let recording = try store.record(to: .ring("trace.ring"))
  /// recording.writeOut(to: "trouble.jsonl", on: [.failure, .diagnostic, .uncleanShutdown, .signal(SIGUSR1)])
  /// ```
  ///
  /// The recording's own queue writes the file, once for all occasions since its last turn. It reports failures on
  /// standard error. A program that is killed or traps does not need this: the flight recorder's file remains.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which only its owner can read. Each occasion replaces it.
  ///   - occasions: the occasions on which the file is written.
  public func writeOut(to path: String, on occasions: Set<TraceOccasion>) {
    recorder.addOutlet(path, occasions)
  }

  /// Writes a line of text into the recording, as a mark to search for.
  public func note(_ text: String) { recorder.note("mark", text) }
}

extension TraceDestination {
  /// Parses the value of `MILLRACE_TRACE`: a path after `ring:` and `snapshotEvery=N:`, both optional and in any order.
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

  func makeSink() throws(TraceFailure) -> any TraceSink {
    switch kind {
    case .file(let path, let size, let count):
      FileSink(path: path, rotatingAt: size, keeping: count)
    case .ring(let path, let bytes): try RingSink(path: path, bytes: bytes)
    case .memory(let memory): memory
    }
  }
}
