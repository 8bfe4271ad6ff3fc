/// Decides which thread makes the turns of a store, and when another thread has to rescue a drain. Pure.
///
/// A drain usually runs on a global queue of Dispatch. That queue begins no drain while computing tasks occupy every
/// core. So the store checks a pending drain every few milliseconds. A drain that is pending at two checks in a row
/// runs on the rescuing queue. The drains after it do so too, until the usual queue begins one again. The store also
/// checks a drain that performs decisions between two holdings, since the `deinit` of a released value may take long.
///
/// One drain at a time has the *claim*: the schedule relies on its thread to empty the mailbox, and begins no other
/// drain.
struct DrainSchedule: Hashable {
  private enum Phase {
    case idle, pending
    /// The drain with the claim holds the turn lock, or waits for it.
    case holding
    /// The drain with the claim is checked until its next holding.
    case unlocked
  }

  /// The step to perform after the lock is released.
  struct Step: Hashable {
    /// The number of the drain to begin, if any.
    var drain: UInt64?
    /// Whether to begin the drain on the rescuing queue.
    var isRescue = false
    /// Whether to check again after a while.
    var looksLater = false
  }

  /// The number of the latest claim.
  private var number: UInt64 = 0
  /// The number at the last check.
  private var lookedAt: UInt64 = 0
  private var phase = Phase.idle
  private var isLookOnItsWay = false
  private var isRescuing = false

  var isIdle: Bool { phase == .idle }

  /// The mailbox has got something.
  mutating func mailArrived() -> Step { isIdle ? begin() : Step() }

  private mutating func begin() -> Step {
    phase = .pending
    number += 1
    return Step(drain: number, isRescue: isRescuing, looksLater: looks())
  }

  private mutating func looks() -> Bool {
    defer { isLookOnItsWay = true }
    return !isLookOnItsWay
  }

  /// A thread is about to drain.
  ///
  /// - Returns: `nil` if another thread has claimed the drain.
  mutating func drainArrived(_ drain: UInt64, isRescue: Bool) -> Drain? {
    if !isRescue { isRescuing = false }
    return phase == .pending && drain == number ? claimed() : nil
  }

  /// A thread that needs a result at once is about to drain. It gets no claim while the claim's drain holds the
  /// turn lock.
  mutating func callerArrived() -> Drain {
    if phase == .holding { return Drain() }
    number += 1
    return claimed(isCaller: true)
  }

  private mutating func claimed(isCaller: Bool = false) -> Drain {
    phase = .holding
    return Drain(claim: number, isCaller: isCaller)
  }

  /// The mailbox is empty. Called by the drain with the claim.
  mutating func drainEnded() { phase = .idle }

  /// A drain with the claim has ended a holding while something waits, and performs its decisions next.
  ///
  /// - Parameter callsUser: whether that may take long, since it calls the user's code. Another drain then begins at
  ///   once. Otherwise one begins only if it does take long.
  mutating func holdingEnded(_ drain: inout Drain, callsUser: Bool) -> Step {
    if callsUser || drain.end != nil {
      drain.claim = nil
      return begin()
    }
    phase = .unlocked
    number += 1
    drain.claim = number
    return Step(looksLater: looks())
  }

  /// A drain that was checked goes on. It loses the claim if another drain has taken it meanwhile.
  mutating func resumed(_ drain: inout Drain) {
    if phase == .unlocked, drain.claim == number { phase = .holding } else { drain.claim = nil }
  }

  /// The interval between two checks has passed. Checks continue while drains follow one another, so that a sender
  /// rarely begins one.
  mutating func lookArrived() -> Step {
    let isWaiting = phase == .pending || phase == .unlocked
    let isSame = lookedAt == number
    lookedAt = number
    isLookOnItsWay = isWaiting || !isSame
    var step = Step(looksLater: isLookOnItsWay)
    if isWaiting, isSame {
      // Only a pending drain shows that the usual queue is blocked. Long work between two holdings does not.
      if phase == .pending { isRescuing = true }
      phase = .pending
      step.drain = number
      step.isRescue = true
    }
    return step
  }
}

/// What the thread of one drain does after each holding of the turn lock. Pure.
struct Drain: Hashable {
  enum End: Hashable {
    /// Nothing waits.
    case idle
    /// The envelope that the caller waits for has had its turn, and something waits.
    case reached
  }

  /// The number of its claim, if it has one.
  fileprivate(set) var claim: UInt64?
  /// Whether its thread needs a result, and therefore continues even without a claim.
  private let isCaller: Bool
  /// Why its last holding was the last one.
  var end: End?

  /// Makes a drain of a caller, by default without a claim.
  init(claim: UInt64? = nil, isCaller: Bool = true) {
    (self.claim, self.isCaller) = (claim, isCaller)
  }

  /// Whether there is no further holding.
  var isOver: Bool { end != nil || claim == nil && !isCaller }
}
