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
  var mayBeLate = false
}
