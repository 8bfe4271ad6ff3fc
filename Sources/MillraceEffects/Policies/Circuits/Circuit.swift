/// What a ``CircuitBreaker`` decides: who is let through. Pure; times are counted from the breaker's making.
struct Circuit: Hashable {
  /// The permission to run once. Its outcome is to be told, once.
  struct Pass: Equatable {
    fileprivate let era: UInt64
  }

  enum Outcome {
    case well
    case failed
    /// The run was stopped before anything could be learnt from it.
    case stopped
  }

  private enum Phase: Hashable {
    case closed(CircuitTally)
    case open(until: Duration)
    case halfOpen(isTrialUnderWay: Bool)
  }

  private let empty: CircuitTally
  private let resetTimeout: Duration
  private var phase: Phase
  /// Counts the changes of the state: the outcome of a run that was let through before the last one says nothing.
  private var era: UInt64 = 0

  /// - Parameter tally: What counts outcomes while it is closed, with none counted.
  init(_ tally: CircuitTally, resetTimeout: Duration) {
    empty = tally
    self.resetTimeout = resetTimeout
    phase = .closed(tally)
  }

  var state: CircuitState {
    switch phase {
    case .closed: .closed
    case .open: .open
    case .halfOpen: .halfOpen
    }
  }

  /// Whether it is as it was at the beginning.
  var isUnused: Bool { phase == .closed(empty) }

  /// How long it is until somebody is let through; `nil` if that depends on a trial that is under way.
  func wait(at now: Duration) -> Duration? {
    switch phase {
    case .closed, .halfOpen(isTrialUnderWay: false): .zero
    case .open(let until): max(.zero, until - now)
    case .halfOpen(isTrialUnderWay: true): nil
    }
  }

  /// Somebody wants to run.
  mutating func requestArrived(at now: Duration) -> Result<Pass, CircuitRefusal> {
    guard let wait = wait(at: now) else { return .failure(.trialUnderWay) }
    if wait > .zero { return .failure(.open(retryAfter: wait)) }
    switch phase {
    case .closed: break
    case .open: change(to: .halfOpen(isTrialUnderWay: true))
    case .halfOpen: phase = .halfOpen(isTrialUnderWay: true)
    }
    return .success(pass)
  }

  /// One who was let through has ended.
  mutating func ended(_ pass: Pass, _ outcome: Outcome, at now: Duration) {
    guard pass.era == era else { return }
    switch (phase, outcome) {
    case (.closed(var tally), .well), (.closed(var tally), .failed):
      phase = .closed(empty)  // so that the tally is not shared, and changed in place
      tally.ended(failed: outcome == .failed)
      // A run that went well opens nothing, even if there are enough of them only now.
      if outcome == .failed, tally.isTooBad {
        change(to: .open(until: now + resetTimeout))
      } else {
        phase = .closed(tally)
      }
    case (.halfOpen, .failed):
      change(to: .open(until: now + resetTimeout))
    case (.halfOpen, .well):
      change(to: .closed(empty))
    case (.halfOpen, .stopped):
      phase = .halfOpen(isTrialUnderWay: false)
    case (.closed, .stopped), (.open, _):
      break
    }
  }

  private mutating func change(to next: Phase) {
    phase = next
    era += 1
  }

  // MARK: Comparing moments

  /// The pass of all who were let through since the last change.
  var pass: Pass { Pass(era: era) }

  /// Nobody has a pass any more: two that do the same from here on are equal.
  mutating func forgetPasses() { era = 0 }

  /// Time passes, where the present is always zero.
  mutating func elapse(_ time: Duration) {
    if case .open(let until) = phase { phase = .open(until: max(.zero, until - time)) }
  }
}
