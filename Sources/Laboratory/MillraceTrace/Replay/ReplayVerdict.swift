/// The result of a replay.
@nonexhaustive public enum ReplayVerdict: Sendable, Hashable, CustomStringConvertible {
  /// The actions gave the same states, and the feature asked for the same requests, as far as recorded. A state is
  /// compared at each snapshot. A recording that was ended in order has a snapshot after its last action. That of a
  /// killed program may have none; ``ReplaySummary/uncomparedActions`` counts the actions after the last snapshot.
  case same(ReplaySummary)
  /// The reducer gave another state.
  case statesDiffer(ReplayDifference)
  /// The feature asked for other requests.
  case requestsDiffer(ReplayDifference)
  /// The recording has runs of effects that `connect` does not connect by their names, and that the test does not allow
  /// to be missing. Everything compared was the same.
  case notReplayed(ReplaySummary)
  /// Actions of the recording no longer decode.
  case doesNotDecode(line: Int, [ReplayKind])
  /// The file cannot be read after a line. Everything before was the same.
  case damaged(afterLine: Int, problem: String)

  /// Whether the whole recording was replayed without a difference in what was compared: see ``same(_:)``.
  public var isSame: Bool { if case .same = self { true } else { false } }

  /// An exit code for a program that replays: 0 same, 1 states differ, 2 requests differ, 3 does not decode, 4 damaged,
  /// 5 an effect is not replayed.
  public var exitCode: Int32 {
    switch self {
    case .same: 0
    case .statesDiffer: 1
    case .requestsDiffer: 2
    case .doesNotDecode: 3
    case .damaged: 4
    case .notReplayed: 5
    }
  }

  /// The verdict in lines of text.
  public var description: String {
    switch self {
    case .same(let summary): return "the same: \(summary)"
    case .statesDiffer(let difference): return "states differ \(difference)"
    case .requestsDiffer(let difference): return "requests differ \(difference)"
    case .notReplayed(let summary): return "effects of the recording are not connected: \(summary)"
    case .doesNotDecode(let line, let kinds):
      return "does not decode, line \(line)" + kinds.map { "\n  \($0)" }.joined()
    case .damaged(let line, let problem):
      return "damaged after line \(line): line \(line + 1) \(problem); the same as far as that"
    }
  }
}

/// The extent of a replay.
public struct ReplaySummary: Sendable, Hashable, CustomStringConvertible {
  /// The number of actions reduced.
  public internal(set) var actions = 0
  /// The number of snapshots compared.
  public internal(set) var snapshots = 0
  /// The number of the last action after which the state was compared; `nil` if none was.
  public internal(set) var lastComparedAction: UInt64?
  /// The number of actions after the last recorded state; their effect on the state was not compared. 0 if the
  /// recording was ended in order. For a killed program, its last actions.
  public internal(set) var uncomparedActions = 0
  /// The number of beginnings, changes and stops of runs that were compared. If a stopped body runs at the beginning of
  /// a recording or after a gap, those of its effect are left out until it has returned.
  public internal(set) var decisions = 0
  /// The number of gaps of the recording. After each gap the replay resumed with the snapshot there. Changes of the
  /// state by actions between a gap and the snapshot before it were not compared.
  public internal(set) var gaps = 0
  /// The names of recorded effects that `connect` does not connect; their runs were not compared.
  public internal(set) var notReplayed: [String] = []
  /// The names of effects that `connect` connects and the recorded program did not.
  public internal(set) var notRecorded: [String] = []

  /// The numbers in one line, and what was not compared.
  public var description: String {
    var text = "\(actions) actions, \(snapshots) snapshots, \(decisions) decisions"
    if gaps > 0 { text += ", across \(gaps) gap\(gaps == 1 ? "" : "s")" }
    if uncomparedActions > 0 {
      text += "; no state was compared" + (lastComparedAction.map { " after action \($0)" } ?? "")
    }
    if !notReplayed.isEmpty { text += "; not replayed: \(notReplayed.joined(separator: ", "))" }
    if !notRecorded.isEmpty { text += "; not recorded: \(notRecorded.joined(separator: ", "))" }
    return text
  }
}

/// The first difference between a recording and its replay.
public struct ReplayDifference: Sendable, Hashable, CustomStringConvertible {
  /// The actions among which the difference arose. For states, those since the last equal snapshot: one action, if each
  /// has a snapshot. For requests, the action.
  public let actions: ClosedRange<UInt64>
  /// The line of the recording.
  public let line: Int
  /// The recorded action; if there are several, the number of each case.
  public let action: String
  /// The place from which the action was sent. Among several actions it is unknown which one made the difference.
  public let cause: String
  /// The difference, in lines.
  public let lines: [String]

  /// The place and the difference, as lines.
  public var description: String {
    let place =
      actions.count == 1
      ? "at action \(actions.upperBound)" : "between actions \(actions.lowerBound) and \(actions.upperBound)"
    return "\(place), line \(line): \(action), \(cause)" + lines.map { "\n  \($0)" }.joined()
  }
}

/// A case of the action's type that does not decode.
public struct ReplayKind: Sendable, Hashable, CustomStringConvertible {
  /// The name of the case in the recording.
  public let name: String
  /// The number of its recorded actions.
  public let count: Int
  /// Whether the case no longer exists; otherwise its associated values have changed.
  public let isRemoved: Bool
  /// The decoder's message about the first of them.
  public let problem: String

  /// The case and its problem in one line.
  public var description: String {
    "\(name), \(count) time\(count == 1 ? "" : "s"): \(isRemoved ? "no such case" : "changed"): \(problem)"
  }
}
