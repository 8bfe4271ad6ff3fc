import MillraceFeature

/// A decision of a feature in one turn, as it is recorded: which requests begin, end, or change their value.
struct Decision: Hashable {
  let step: RunStep
  /// The name of the effect's connection.
  let effect: String
  /// The request as it is recorded.
  let request: String

  var text: String { "\(step.rawValue) \(effect) \(request)" }
}

/// A decision that a replay has made and that the recording must show.
struct ExpectedDecision {
  let decision: Decision
  let run: FeatureRun
  /// Whether the recording may show it in a later turn: what belongs to an ended part is torn down little by little.
  let mayBeLate: Bool
}

/// Decisions of a replay, found by what the recording shows of them. A start is known by its request, of which a state may
/// ask for many at a time, and everything else by its run.
struct ExpectedDecisions {
  private struct Key: Hashable {
    let step: RunStep
    let run: FeatureRun
  }

  /// The starts of requests that read alike, by their effects. One effect may have several.
  private struct Starts {
    private(set) var places: [[Int]: [ExpectedDecision]] = [:]
    private var line: [[Int]] = []
    /// The first place in line whose connection may be unknown. One that has become known stays so.
    private var next = 0

    mutating func append(_ expected: ExpectedDecision) {
      places[expected.run.place, default: []].append(expected)
      line.append(expected.run.place)
    }

    mutating func take(at place: [Int]) -> ExpectedDecision? {
      places[place]?.isEmpty == false ? places[place]?.removeFirst() : nil
    }

    mutating func takeNext() -> [Int]? {
      if next == line.count { return nil }
      defer { next += 1 }
      return line[next]
    }
  }

  private var starts: [Decision: Starts] = [:]
  private var others: [Key: ExpectedDecision] = [:]

  var all: [ExpectedDecision] { starts.values.flatMap(\.places.values).flatMap(\.self) + others.values }

  mutating func append(_ expected: ExpectedDecision) {
    if expected.decision.step == .starts {
      starts[expected.decision, default: Starts()].append(expected)
    } else {
      others[Key(step: expected.decision.step, run: expected.run)] = expected
    }
  }

  /// Takes the start at the place of its connection, or else the first at a place whose connection is not known.
  mutating func takeStart(
    _ decision: Decision, at own: [Int]?, isKnown: ([Int]) -> Bool
  ) -> ExpectedDecision? {
    if let own, let found = starts[decision]?.take(at: own) { return found }
    while let place = starts[decision]?.takeNext() {
      if isKnown(place) { continue }
      if let found = starts[decision]?.take(at: place) { return found }
    }
    return nil
  }

  /// - Parameter request: the value that is handed over.
  mutating func take(_ step: RunStep, of run: FeatureRun, _ request: String?) -> ExpectedDecision? {
    let key = Key(step: step, run: run)
    guard let found = others[key], request == nil || found.decision.request == request else { return nil }
    return others.removeValue(forKey: key)
  }
}

/// The runs in progress of a snapshot, found by their requests.
struct LiveRuns {
  private var runs: [Decision: [SnapshotLine.Live]]

  init(_ live: [SnapshotLine.Live]) {
    runs = Dictionary(grouping: live.reversed()) { run in
      Decision(step: .starts, effect: run.start.name, request: run.start.request.text)
    }
  }

  /// The names of the effects whose runs nothing has taken.
  var names: Set<String> { Set(runs.lazy.filter { !$0.value.isEmpty }.map(\.key.effect)) }

  mutating func take(_ effect: String, _ request: String, of connection: UInt64?) -> SnapshotLine.Live? {
    let decision = Decision(step: .starts, effect: effect, request: request)
    let index = runs[decision]?.lastIndex { connection ?? $0.start.connection == $0.start.connection }
    return index.flatMap { runs[decision]?.remove(at: $0) }
  }
}
