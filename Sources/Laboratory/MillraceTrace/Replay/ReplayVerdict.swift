/// What came of a replay.
@nonexhaustive public enum ReplayVerdict: Sendable, Hashable {
  /// The actions gave the same states, and the feature asked for the same work, as far as the recording has them: a state
  /// is compared at each snapshot, and a recording that was ended in order has one behind its last action. That of a
  /// program which was killed may have none; ``ReplaySummary/uncomparedActions`` counts the actions without.
  case same(ReplaySummary)
  /// The reducer gave another state.
  case statesDiffer(ReplayDifference)
  /// The feature asked for other work.
  case requestsDiffer(ReplayDifference)
  /// The recording has runs of effects that the `connect` function does not connect by their names, and that the test does not
  /// allow to be missing. What was compared was the same.
  case notReplayed(ReplaySummary)
  /// Actions of the recording do not decode any more.
  case doesNotDecode(line: Int, [ReplayKind])
  /// The file cannot be read further than to a line. As far as it can, it was the same.
  case damaged(afterLine: Int, problem: String)

  /// Whether the recording was replayed to its end without a difference in what was compared: see ``same(_:)``.
  public var isSame: Bool { if case .same = self { true } else { false } }

  /// An exit code for a program that replays: 0 the same, 1 states differ, 2 requests differ, 3 does not decode, 4
  /// damaged, 5 an effect is not replayed.
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
}

/// How much was replayed.
public struct ReplaySummary: Sendable, Hashable {
  /// How many actions were reduced.
  public internal(set) var actions = 0
  /// How many snapshots of the state were compared.
  public internal(set) var snapshots = 0
  /// The number of the last action after which the state was compared; `nil` if none was.
  public internal(set) var lastComparedAction: UInt64?
  /// How many actions are behind the last state of the recording: what they did to the state was not compared. 0 where the
  /// recording was ended in order; the last ones of a program that was killed.
  public internal(set) var uncomparedActions = 0
  /// How many beginnings, changes and stops of runs were compared. Where a recording begins, or goes on behind a gap, while a
  /// stopped body is running, those of its effect are left out until that has returned.
  public internal(set) var decisions = 0
  /// How many gaps the recording has. Behind each, the replay has gone on with the snapshot there. What the actions between
  /// a gap and the snapshot before it did to the state was not compared.
  public internal(set) var gaps = 0
  /// The names of recorded effects that the `connect` function does not connect: what they did was not compared.
  public internal(set) var notReplayed: [String] = []
  /// The names of effects that the `connect` function connects and the recorded program did not.
  public internal(set) var notRecorded: [String] = []
}

/// The first difference between a recording and its replay.
public struct ReplayDifference: Sendable, Hashable {
  /// The actions after which it was seen: the last snapshot before was the same. One action, if snapshots were taken
  /// after each. For requests the action, or those of a batch.
  public let actions: ClosedRange<UInt64>
  /// The line of the recording.
  public let line: Int
  /// The action, as it is recorded; of several, how many of each case there are.
  public let action: String
  /// Where the action came from. Of several it is not known which one made the difference.
  public let cause: String
  /// The difference, in lines.
  public let lines: [String]
}

/// A case of the action's type that does not decode.
public struct ReplayKind: Sendable, Hashable {
  /// Its name in the recording.
  public let name: String
  /// How many actions of it are recorded.
  public let count: Int
  /// Whether there is no such case any more; otherwise what it holds has changed.
  public let isRemoved: Bool
  /// What the decoder says of the first.
  public let problem: String
}

extension ReplayVerdict: CustomStringConvertible {
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

extension ReplaySummary: CustomStringConvertible {
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

extension ReplayDifference: CustomStringConvertible {
  /// The place and the difference, as lines.
  public var description: String {
    let place =
      actions.count == 1
      ? "at action \(actions.upperBound)" : "between actions \(actions.lowerBound) and \(actions.upperBound)"
    return "\(place), line \(line): \(action), \(cause)" + lines.map { "\n  \($0)" }.joined()
  }
}

extension ReplayKind: CustomStringConvertible {
  /// The case and its problem in one line.
  public var description: String {
    "\(name), \(count) time\(count == 1 ? "" : "s"): \(isRemoved ? "no such case" : "changed"): \(problem)"
  }
}
