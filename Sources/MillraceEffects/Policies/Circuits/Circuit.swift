/// What a ``CircuitBreaker`` decides: who is let through. Pure; times are counted from the breaker's making.
struct Circuit {
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

  private enum Phase {
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

  /// Somebody wants to run.
  mutating func requestArrived(at now: Duration) -> Result<Pass, CircuitRefusal> {
    switch phase {
    case .closed:
      break
    case .open(let until) where now < until:
      return .failure(.open(retryAfter: until - now))
    case .halfOpen(isTrialUnderWay: true):
      return .failure(.trialUnderWay)
    case .open:
      change(to: .halfOpen(isTrialUnderWay: true))
    case .halfOpen(isTrialUnderWay: false):
      phase = .halfOpen(isTrialUnderWay: true)
    }
    return .success(Pass(era: era))
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
}
