/// What can change what an effect has decided.
enum DecisionStep: Hashable {
  /// The state asks for a set of requests with this hash.
  case asked(hash: Int)
  case returned(generation: UInt64)
  case restarted
}

/// What an effect had decided at one moment, with what followed from it. Without types, so that looking up what followed
/// needs none of the runtime's tables of types.
class RememberedDecisions {
  /// All of it, but for the numbers of the runs: two that are equal in that behave the same.
  let contents: EffectContents
  /// What was decided next, by the step that led to it.
  fileprivate var following: [DecisionStep: RememberedDecisions] = [:]

  init(_ contents: EffectContents) { self.contents = contents }
}

/// What one effect has decided before, so that a test that explores need not decide the same again. Pure.
struct DecisionMemory {
  private var known: [EffectContents: RememberedDecisions] = [:]
  /// The only step that was made since something was saved.
  private var pending: (from: RememberedDecisions, step: DecisionStep)?

  /// What followed when a step with the same hash was made from here before; `nil` if none was.
  ///
  /// - Parameter saved: what is decided; `nil` if that has not been saved since the last step.
  mutating func next(from saved: RememberedDecisions?, _ step: DecisionStep) -> RememberedDecisions? {
    pending = nil
    guard let saved else { return nil }
    pending = (saved, step)
    return saved.following[step]
  }

  /// Something was put in place of what is decided.
  mutating func forgetStep() { pending = nil }

  /// Keeps what was decided.
  ///
  /// - Returns: what is equal to it and was decided before, or itself.
  mutating func decided(_ new: RememberedDecisions) -> RememberedDecisions {
    let saved = known[new.contents] ?? new
    known[new.contents] = saved
    if let pending { pending.from.following[pending.step] = saved }
    pending = nil
    return saved
  }
}
