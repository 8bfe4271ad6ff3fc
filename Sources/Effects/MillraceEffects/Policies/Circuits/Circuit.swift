/// Decides which runs a ``CircuitBreaker`` lets pass. Pure; times count from the creation of the breaker.
struct Circuit: Hashable {
  /// The permission for one run. Its outcome must be reported once.
  struct Pass {
    fileprivate let era: UInt64
    fileprivate let began: Duration
  }

  private enum Phase: Hashable {
    case closed(CircuitTally)
    case open(until: Duration)
    case halfOpen(underWay: Int, succeeded: Int)
  }

  private let empty: CircuitTally
  private let resetTimeout: Duration
  /// The time from which on a run counts as failed.
  let slowAfter: Duration?
  /// The number of trials that must succeed.
  private let trials: Int
  private var phase: Phase
  /// The number of state changes. The outcome of a run does not count if the state has changed since the run passed.
  private(set) var era: UInt64 = 0

  /// - Parameter tally: counts outcomes while the circuit is closed; empty.
  init(_ tally: CircuitTally, resetTimeout: Duration, slowAfter: Duration? = nil, trials: Int = 1) {
    empty = tally
    self.resetTimeout = resetTimeout
    self.slowAfter = slowAfter
    self.trials = max(1, trials)
    phase = .closed(tally)
  }

  var state: CircuitState {
    switch phase {
    case .closed: .closed
    case .open: .open
    case .halfOpen: .halfOpen
    }
  }

  /// Whether the circuit is in its initial state.
  var isUnused: Bool { phase == .closed(empty) }

  /// Whether the circuit is closed and no failure counts.
  func isClean(at now: Duration) -> Bool {
    guard case .closed(var tally) = phase else { return false }
    tally.forget(at: now)
    return tally.isClean
  }

  /// The time until a run may pass; `nil` if that depends on a trial in progress.
  func wait(at now: Duration) -> Duration? {
    switch phase {
    case .closed: .zero
    case .open(let until): max(.zero, until - now)
    case .halfOpen(let underWay, let succeeded): underWay + succeeded < trials ? .zero : nil
    }
  }

  /// A run asks to pass.
  mutating func requestArrived(at now: Duration) -> Result<Pass, CircuitRefusal> {
    guard let wait = wait(at: now) else { return .failure(.halfOpen) }
    if wait > .zero { return .failure(.open(retryAfter: wait)) }
    switch phase {
    case .closed: break
    case .open: change(to: .halfOpen(underWay: 1, succeeded: 0))
    case .halfOpen(let underWay, let succeeded):
      phase = .halfOpen(underWay: underWay + 1, succeeded: succeeded)
    }
    return .success(pass(began: now))
  }

  /// A run that had passed has ended.
  mutating func ended(_ pass: Pass, _ outcome: RunEnding, at now: Duration) {
    guard pass.era == era else { return }
    let isSlow = slowAfter.map { now - pass.began >= $0 } ?? false
    let outcome = outcome == .well && isSlow ? .failed : outcome
    switch (phase, outcome) {
    case (.closed(var tally), .well), (.closed(var tally), .failed):
      phase = .closed(empty)  // empties the phase, so that the tally is not shared and changes in place
      tally.ended(failed: outcome == .failed, at: now)
      // A successful run does not open the circuit, even if it completes the required number of runs.
      if outcome == .failed, tally.isTooBad {
        change(to: .open(until: now + resetTimeout))
      } else {
        phase = .closed(tally)
      }
    case (.halfOpen, .failed):
      change(to: .open(until: now + resetTimeout))
    case (.halfOpen(let underWay, let succeeded), .well):
      let next = Phase.halfOpen(underWay: underWay - 1, succeeded: succeeded + 1)
      if succeeded + 1 < trials { phase = next } else { change(to: .closed(empty)) }
    case (.halfOpen(let underWay, let succeeded), .stopped):
      phase = .halfOpen(underWay: underWay - 1, succeeded: succeeded)
    case (.closed, .stopped), (.open, _):
      break
    }
  }

  private mutating func change(to next: Phase) {
    phase = next
    era += 1
  }

  // MARK: Comparing moments

  /// The pass of a run that passed at that time, after the last change of state.
  func pass(began: Duration) -> Pass { Pass(era: era, began: began) }

  /// No pass is in use, so the era is irrelevant: circuits that behave equally from here on become equal.
  mutating func forgetPasses() { era = 0 }

  /// Time passes; the present always counts as zero.
  mutating func elapse(_ time: Duration) {
    switch phase {
    case .closed(var tally):
      tally.elapse(time)
      phase = .closed(tally)
    case .open(let until): phase = .open(until: max(.zero, until - time))
    case .halfOpen: break
    }
  }
}
