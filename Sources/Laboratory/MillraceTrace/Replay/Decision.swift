/// A decision of a feature in one turn: which requests begin, end, or change their value.
struct Decision: Hashable {
  enum Kind: String {
    case starts
    case stops
    case handsOver = "hands over"
  }

  let kind: Kind
  /// The name of the effect's connection.
  let effect: String
  /// The request as it is recorded.
  let request: String

  var text: String { "\(kind.rawValue) \(effect) \(request)" }
}

/// A decision that a replay has made and that the recording must show.
struct ExpectedDecision {
  let decision: Decision
  /// The effect, in its place, and the run there.
  let place: any ReplayedPlace
  let generation: UInt64
  /// Whether the recording may show it in a later turn: what belongs to an ended part is torn down little by little.
  let mayBeLate: Bool
}

/// Decisions of a replay, found by what the recording shows of them. A start is known by its request, of which a state may
/// ask for many at a time, and everything else by its run.
struct ExpectedDecisions {
  private struct Run: Hashable {
    let kind: Decision.Kind
    let place: ObjectIdentifier
    let generation: UInt64
  }

  private var starts: [Decision: [ExpectedDecision]] = [:]
  private var others: [Run: ExpectedDecision] = [:]

  var all: [ExpectedDecision] { starts.values.flatMap(\.self) + others.values }

  mutating func append(_ expected: ExpectedDecision) {
    if expected.decision.kind == .starts {
      starts[expected.decision, default: []].append(expected)
    } else {
      others[Self.run(expected.decision.kind, expected.place, expected.generation)] = expected
    }
  }

  /// - Parameters:
  ///   - connection: the recorded connection of the run.
  ///   - isKnown: whether a place is known to be that connection's.
  mutating func takeStart(
    _ decision: Decision, of connection: UInt64, isKnown: Bool
  ) -> ExpectedDecision? {
    guard let found = starts[decision] else { return nil }
    let own = isKnown ? found.firstIndex { $0.place.connection == connection } : nil
    guard let index = own ?? found.firstIndex(where: { $0.place.connection == nil }) else { return nil }
    return starts[decision]?.remove(at: index)
  }

  /// - Parameter request: the value that is handed over.
  mutating func take(
    _ kind: Decision.Kind, of place: any ReplayedPlace, _ generation: UInt64, _ request: String?
  ) -> ExpectedDecision? {
    let run = Self.run(kind, place, generation)
    guard let found = others[run], request == nil || found.decision.request == request else { return nil }
    return others.removeValue(forKey: run)
  }

  private static func run(_ kind: Decision.Kind, _ place: any ReplayedPlace, _ generation: UInt64) -> Run {
    Run(kind: kind, place: ObjectIdentifier(place), generation: generation)
  }
}

/// The runs in progress of a snapshot, found by their requests.
struct LiveRuns {
  private var runs: [Decision: [SnapshotLine.Live]]

  init(_ live: [SnapshotLine.Live]) {
    runs = Dictionary(grouping: live.reversed()) { run in
      Decision(kind: .starts, effect: run.start.name, request: run.start.request.text)
    }
  }

  /// The names of the effects whose runs nothing has taken.
  var names: Set<String> { Set(runs.lazy.filter { !$0.value.isEmpty }.map(\.key.effect)) }

  mutating func take(_ effect: String, _ request: String, of connection: UInt64?) -> SnapshotLine.Live? {
    let decision = Decision(kind: .starts, effect: effect, request: request)
    let index = runs[decision]?.lastIndex { connection ?? $0.start.connection == $0.start.connection }
    return index.flatMap { runs[decision]?.remove(at: $0) }
  }
}
