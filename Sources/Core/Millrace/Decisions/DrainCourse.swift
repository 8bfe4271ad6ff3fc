/// Decides how one drain continues after each holding of the turn lock. Pure.
struct DrainCourse: Hashable {
  /// The result of holding the turn lock once.
  struct Holding: Hashable {
    /// Whether nothing waited at the end.
    var isIdle = false
    /// Whether the envelope that a caller waits for has had its turn.
    var isReached = false
  }

  /// What happens to the claim while the decisions of the holding are performed, which may call the user's code.
  enum Claim {
    /// Nothing changes: the drain has no claim, or its claim has ended.
    case unchanged
    /// Another drain begins, since the user's code may take long.
    case handedOn
    /// The claim is released for a moment. If that lasts, another drain takes it.
    case released
  }

  /// Whether the schedule relies on this drain to empty the mailbox.
  private(set) var holdsClaim: Bool
  /// Whether there is no further holding.
  private(set) var isOver = false
  private let isCaller: Bool

  /// - Parameter isCaller: whether the draining thread needs a result. It then continues even without the claim.
  init(holdsClaim: Bool, isCaller: Bool) {
    self.holdsClaim = holdsClaim
    self.isCaller = isCaller
  }

  /// A holding has ended, and its decisions are performed next.
  mutating func holdingEnded(_ holding: Holding, callsUser: Bool) -> Claim {
    isOver = holding.isIdle || holding.isReached
    guard holdsClaim, !holding.isIdle else { return .unchanged }
    guard callsUser || holding.isReached else { return .released }
    claimWasLost()
    return .handedOn
  }

  /// A release has ended.
  ///
  /// - Parameter continues: whether no other drain has taken the claim.
  mutating func releaseEnded(continues: Bool) { if !continues { claimWasLost() } }

  private mutating func claimWasLost() {
    holdsClaim = false
    if !isCaller { isOver = true }
  }
}
