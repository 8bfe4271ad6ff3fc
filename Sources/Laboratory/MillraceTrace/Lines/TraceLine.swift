/// One line of a recording. Times are in microseconds since the recording began.
package enum TraceLine: Equatable, Sendable {
  case header(TraceHeader)
  case action(ActionLine)
  case run(RunLine)
  case turnedAway(TurnedAwayLine)
  case connection(ConnectionLine)
  /// A component's update, or the setting of a view's props, was committed. `sequence` is the number of actions reduced
  /// before.
  case updated(connection: UInt64, sequence: UInt64, time: UInt64)
  case wait(WaitLine)
  case snapshot(SnapshotLine)
  case gap(GapLine)
  /// The store starts nothing more.
  case closing(time: UInt64)
  case note(NoteLine)
  /// The recording was ended in order.
  case end(time: UInt64)
  /// A line that only a later version can read.
  case unknown

  var action: ActionLine? { if case .action(let line) = self { line } else { nil } }

  package var time: UInt64? {
    switch self {
    case .header, .unknown: nil
    case .action(let line): line.time
    case .run(let line): line.time
    case .turnedAway(let line): line.time
    case .connection(let line): line.time
    case .wait(let line): line.time
    case .snapshot(let line): line.time
    case .gap(let line): line.time
    case .note(let line): line.time
    case .updated(_, _, let time), .closing(let time), .end(let time): time
    }
  }
}

/// Where an action came from.
package struct CauseFields: Equatable, Sendable {
  /// The place in the source from which it was sent.
  package var site: String
  /// The run that sent it; `nil` from outside.
  package var run: UInt64?
  /// The action that asked for that run; `nil` if connecting the effect did.
  package var startedBy: UInt64?
}

package struct ActionLine: Equatable, Sendable {
  package var sequence: UInt64
  package var time: UInt64
  package var payload: Payload
  /// The type and case of the action, if the payload does not show them.
  package var givenKind: String?
  package var cause: CauseFields
  /// The time that the reducer took, in nanoseconds; recorded only if it was long.
  package var duration: UInt64?

  /// The case of the action, such as `.search(.arrived)`. For an action that is no enum, the whole payload.
  package var kind: String { givenKind ?? ActionLine.kind(of: payload) }

  static func kind(of payload: Payload) -> String {
    guard case .json(let json) = payload else { return payload.text }
    return caseName(of: json) ?? json.text
  }

  /// The case of an enum, in the compiler's own coding: `{"search":{"_0":{"arrived":{}}}}`.
  private static func caseName(of json: JSON) -> String? {
    guard let fields = json.fields, fields.count == 1, let held = fields[0].value.fields else { return nil }
    let inner = held.count == 1 && held[0].key == "_0" ? caseName(of: held[0].value) : nil
    return ".\(fields[0].key)" + (inner.map { "(\($0))" } ?? "")
  }
}

package struct RunLine: Equatable, Sendable {
  package enum Event: Equatable, Sendable {
    case start(RunStart)
    /// Another value of its request was handed over to it.
    case handOver(Payload)
    case finish
    case answer(by: UInt64)
    case withdraw(by: UInt64)
    case disconnect
    case fail(error: String)
    /// The body of a stopped run has returned. `fenced` is the number of its actions that were fenced.
    case returned(fenced: Int)
  }

  package var generation: UInt64
  package var time: UInt64
  package var event: Event
  /// The number of the run's actions that were reduced; `nil` before its end.
  package var reduced: Int?
}

/// A run as it was started.
package struct RunStart: Equatable, Sendable {
  package var name: String
  package var connection: UInt64
  package var startedBy: UInt64?
  package var request: Payload
}

package struct TurnedAwayLine: Equatable, Sendable {
  /// `fenced` or `refused`.
  package var fate: String
  package var time: UInt64
  package var payload: Payload
  package var givenKind: String?
  package var cause: CauseFields

  package var kind: String { givenKind ?? ActionLine.kind(of: payload) }
}

package struct ConnectionLine: Equatable, Sendable {
  package var connection: SnapshotLine.Connected
  package var isConnected: Bool
  package var time: UInt64
}

package struct WaitLine: Equatable, Sendable {
  package var generation: UInt64
  /// The number of the wait, unique in its recording.
  package var number: UInt64
  package var time: UInt64
  /// What the run waits for; `nil` when the wait is over.
  package var reason: String?
}

package struct SnapshotLine: Equatable, Sendable {
  package struct Live: Equatable, Sendable {
    package var generation: UInt64
    package var start: RunStart
    /// The time when the run began; `nil` if that was before the recording.
    package var time: UInt64?
    package var isStopping: Bool
    /// Whether the run waits for the one before it with the same identity.
    package var isBehind: Bool
    /// The action for which the current value was handed over to the run; 0 if the recording does not know that action,
    /// `nil` if the run was started with that value.
    package var handed: UInt64?
  }

  package struct Connected: Equatable, Sendable {
    package var number: UInt64
    package var name: String
    package var site: String
    /// The slice; known only of a complete snapshot.
    package var slice: String?
    /// Whether the connection belongs to a part of the state, and ends with it.
    package var isInPart = false
  }

  /// The number of actions reduced before the snapshot.
  package var sequence: UInt64
  package var time: UInt64
  package var state: Payload
  /// The runs and connections, if the snapshot is complete. A reader can begin at a complete snapshot.
  package var whole: LiveTable?
}

package struct GapLine: Equatable, Sendable {
  package var time: UInt64
  /// The number of lost events, and how many of those were updates and waits.
  package var lost: Int
  package var details: Int
}

package struct NoteLine: Equatable, Sendable {
  package static let diagnostic = "diagnostic"

  /// `text only`: a type of the program is not `Encodable`. `not deterministic`: a second call of the reducer gave
  /// another state. `diagnostic`: a report of the store.
  package var kind: String
  package var text: String
  package var time: UInt64

  package var words: String {
    kind == "text only"
      ? "text only: \(text) is not Encodable: its values are recorded as text, and cannot be replayed"
      : "\(kind): \(text)"
  }
}

/// The first line of each file.
package struct TraceHeader: Equatable, Sendable {
  package static let version: UInt64 = 1

  package var version = TraceHeader.version
  package var program: String
  package var build: String?
  package var process: Int64
  package var store: String
  package var state: String
  package var action: String
  /// When the recording began, in seconds since 1970.
  package var start: Double
  package var redactions: [String]
  /// The number of the file, from 1. A rotation continues a recording in a new file.
  package var part: UInt64
  /// The number of actions between two snapshots, as the program set it.
  package var every: UInt64?

  /// Whether both are headers of files of one recording.
  package func isOfRecording(of other: TraceHeader) -> Bool {
    (process, start, program) == (other.process, other.start, other.program)
  }
}
