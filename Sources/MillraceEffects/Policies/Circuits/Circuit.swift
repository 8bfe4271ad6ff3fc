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
    case closed(failures: Int)
    case open(until: Duration)
    case halfOpen(isTrialUnderWay: Bool)
  }

  private let threshold: Int
  private let resetTimeout: Duration
  private var phase = Phase.closed(failures: 0)
  /// Counts the changes of the state: the outcome of a run that was let through before the last one says nothing.
  private var era: UInt64 = 0

  init(threshold: Int, resetTimeout: Duration) {
    self.threshold = threshold
    self.resetTimeout = resetTimeout
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
    case (.closed, .well):
      phase = .closed(failures: 0)
    case (.closed(let failures), .failed) where failures + 1 < threshold:
      phase = .closed(failures: failures + 1)
    case (.closed, .failed), (.halfOpen, .failed):
      change(to: .open(until: now + resetTimeout))
    case (.halfOpen, .well):
      change(to: .closed(failures: 0))
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
