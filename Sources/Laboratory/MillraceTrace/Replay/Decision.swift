import Millrace
import MillraceFeature

/// A recorded decision of a feature: a request begins, ends or changes its value.
struct Decision: Hashable {
  let step: RunTransition
  /// The name of the effect's connection.
  let effect: String
  /// The request as it is recorded.
  let request: String

  var text: String { "\(step.rawValue) \(effect) \(request)" }
}

/// A decision of a replay that the recording must contain.
struct ExpectedDecision {
  let decision: Decision
  let run: FeatureRun
  /// Whether a later turn of the recording may contain the decision, since an ended part is torn down gradually.
  let mayBeLate: Bool
}

/// The decisions of a replay, indexed by what the recording shows of them. A start is found by its request, of which
/// there may be many at a time; any other decision is found by its run.
struct ExpectedDecisions {
  private struct Key: Hashable {
    let step: RunTransition
    let run: FeatureRun
  }

  /// The starts of requests with equal text, by the places of their effects. One effect may have several.
  private struct Starts {
    private(set) var places: [[Int]: [ExpectedDecision]] = [:]
    /// The places in the order of the starts. A known connection stays known, so each place is looked at once.
    var order = Fifo<[Int]>()

    mutating func append(_ expected: ExpectedDecision) {
      places[expected.run.place, default: []].append(expected)
      order.append(expected.run.place)
    }

    mutating func take(at place: [Int]) -> ExpectedDecision? {
      places[place]?.isEmpty == false ? places[place]?.removeFirst() : nil
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

  /// Takes the start at the place of its connection. Without one, takes the first start at a place whose connection is
  /// unknown.
  mutating func takeStart(
    _ decision: Decision, at own: [Int]?, isKnown: ([Int]) -> Bool
  ) -> ExpectedDecision? {
    if let own, let found = starts[decision]?.take(at: own) { return found }
    while let place = starts[decision]?.order.takeFirst() {
      if isKnown(place) { continue }
      if let found = starts[decision]?.take(at: place) { return found }
    }
    return nil
  }

  /// - Parameter request: the value handed over.
  mutating func take(_ step: RunTransition, of run: FeatureRun, _ request: String?) -> ExpectedDecision? {
    let key = Key(step: step, run: run)
    guard let found = others[key], request == nil || found.decision.request == request else { return nil }
    return others.removeValue(forKey: key)
  }
}

/// The runs in progress of a snapshot, indexed by their requests.
struct LiveRuns {
  private var runs: [Decision: [SnapshotLine.Live]]

  init(_ live: [SnapshotLine.Live]) {
    runs = Dictionary(grouping: live.reversed()) { run in
      Decision(step: .starts, effect: run.start.name, request: run.start.request.text)
    }
  }

  /// The names of the effects with runs that were not taken.
  var names: Set<String> { Set(runs.lazy.filter { !$0.value.isEmpty }.map(\.key.effect)) }

  mutating func take(_ effect: String, _ request: String, of connection: UInt64?) -> SnapshotLine.Live? {
    let decision = Decision(step: .starts, effect: effect, request: request)
    let index = runs[decision]?.lastIndex { connection ?? $0.start.connection == $0.start.connection }
    return index.flatMap { runs[decision]?.remove(at: $0) }
  }
}
