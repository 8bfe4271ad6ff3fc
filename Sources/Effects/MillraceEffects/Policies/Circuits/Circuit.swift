/// The decisions of a ``CircuitBreaker``: which runs are let through. Pure; times count from the breaker's making.
struct Circuit: Hashable {
  /// The permission to run once. Its outcome is to be told, once.
  struct Pass {
    fileprivate let era: UInt64
    fileprivate let began: Duration
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
    case halfOpen(underWay: Int, succeeded: Int)
  }

  private let empty: CircuitTally
  private let resetTimeout: Duration
  /// A run that takes as long has failed.
  let slowAfter: Duration?
  /// How many trials must go well.
  private let trials: Int
  private var phase: Phase
  /// Counts the changes of the state: the outcome of a run that was let through before the last one says nothing.
  private(set) var era: UInt64 = 0

  /// - Parameter tally: What counts outcomes while it is closed, with none counted.
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

  /// Whether it is as it was at the beginning.
  var isUnused: Bool { phase == .closed(empty) }

  /// Whether it is closed and no failure counts.
  func isClean(at now: Duration) -> Bool {
    guard case .closed(var tally) = phase else { return false }
    tally.forget(at: now)
    return tally.isClean
  }

  /// How long it is until somebody is let through; `nil` if that depends on a trial that is under way.
  func wait(at now: Duration) -> Duration? {
    switch phase {
    case .closed: .zero
    case .open(let until): max(.zero, until - now)
    case .halfOpen(let underWay, let succeeded): underWay + succeeded < trials ? .zero : nil
    }
  }

  /// Somebody wants to run.
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

  /// One who was let through has ended.
  mutating func ended(_ pass: Pass, _ outcome: Outcome, at now: Duration) {
    guard pass.era == era else { return }
    let isSlow = slowAfter.map { now - pass.began >= $0 } ?? false
    let outcome = outcome == .well && isSlow ? .failed : outcome
    switch (phase, outcome) {
    case (.closed(var tally), .well), (.closed(var tally), .failed):
      phase = .closed(empty)  // so that the tally is not shared, and changed in place
      tally.ended(failed: outcome == .failed, at: now)
      // A run that went well opens nothing, even if there are enough of them only now.
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

  /// The pass of somebody who was let through then and since the last change.
  func pass(began: Duration) -> Pass { Pass(era: era, began: began) }

  /// Nobody has a pass any more: two that do the same from here on are equal.
  mutating func forgetPasses() { era = 0 }

  /// Time passes, where the present is always zero.
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
