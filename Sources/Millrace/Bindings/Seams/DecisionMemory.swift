/// What can change what an effect has decided.
enum DecisionStep {
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
  /// A number that a test has given it.
  var mark: Int32?
  /// What was decided next, by the step that led to it: its number in the memory. Numbers, since decisions lead back to
  /// earlier ones, and references would keep each other.
  fileprivate var following = FollowingDecisions()

  init(_ contents: EffectContents) { self.contents = contents }
}

/// What was decided next, by the step that led to it.
private struct FollowingDecisions {
  private var asked: [Int: Int] = [:]
  private var returned: [UInt64: Int] = [:]
  private var restarted: Int?

  subscript(step: DecisionStep) -> Int? {
    get {
      switch step {
      case .asked(let hash): asked[hash]
      case .returned(let generation): returned[generation]
      case .restarted: restarted
      }
    }
    set {
      switch step {
      case .asked(let hash): asked[hash] = newValue
      case .returned(let generation): returned[generation] = newValue
      case .restarted: restarted = newValue
      }
    }
  }
}

/// What one effect has decided before, so that a test that explores need not decide the same again. Used with the turn
/// lock held.
final class DecisionMemory {
  private var all: [RememberedDecisions] = []
  private var numbers: [EffectContents: Int] = [:]
  /// The only step that was made since something was saved.
  private var pending: (from: RememberedDecisions, step: DecisionStep)?

  /// What followed when a step with the same hash was made from here before; `nil` if none was.
  ///
  /// - Parameter saved: what is decided; `nil` if that has not been saved since the last step.
  func next(from saved: RememberedDecisions?, _ step: DecisionStep) -> RememberedDecisions? {
    if let number = saved?.following[step] {
      forgetStep()
      return all[number]
    }
    pending = saved.map { ($0, step) }
    return nil
  }

  /// Something was put in place of what is decided.
  func forgetStep() {
    if pending != nil { pending = nil }
  }

  /// Keeps what was decided.
  ///
  /// - Returns: what is equal to it and was decided before, or itself.
  func decided(_ new: RememberedDecisions) -> RememberedDecisions {
    let number = numbers[new.contents] ?? all.count
    if number == all.count {
      all.append(new)
      numbers[new.contents] = number
    }
    if let pending { pending.from.following[pending.step] = number }
    pending = nil
    return all[number]
  }
}
