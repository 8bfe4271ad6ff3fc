/// Decides which thread drains a mailbox, and when another thread has to rescue a drain. Pure.
///
/// A drain usually runs on a global queue of Dispatch. That queue begins no drain while computing tasks occupy every
/// core. So the store checks a pending drain every few milliseconds. A drain that is pending at two checks in a row
/// runs on the rescuing queue. The drains after it do so too, until the usual queue begins one again. The store also
/// checks a drain that releases the user's values between two holdings, since their `deinit` may take long.
///
/// One drain at a time has the *claim*: the schedule relies on its thread to empty the mailbox, and begins no other
/// drain.
struct DrainSchedule: Hashable {
  private enum Phase { case idle, pending, draining, releasing }

  /// The step to perform after the lock is released.
  struct Step: Hashable {
    /// The number of the drain to begin, if any.
    var drain: UInt64?
    /// Whether to begin the drain on the rescuing queue.
    var isRescue = false
    /// Whether to check again after a while.
    var looksLater = false
  }

  private var phase = Phase.idle
  /// The number of the latest drain or release.
  private var number: UInt64 = 0
  /// The number at the last check.
  private var lookedAt: UInt64 = 0
  private var isLookOnItsWay = false
  private var isRescuing = false

  /// The mailbox has got something.
  mutating func mailArrived() -> Step {
    guard phase == .idle else { return Step() }
    return begin()
  }

  /// The current drain leaves the rest to another one.
  mutating func drainHandedOn() -> Step { begin() }

  private mutating func begin() -> Step {
    number += 1
    phase = .pending
    let looks = !isLookOnItsWay
    isLookOnItsWay = true
    return Step(drain: number, isRescue: isRescuing, looksLater: looks)
  }

  /// A thread is about to drain.
  ///
  /// - Returns: whether it may drain; `false` if another thread has claimed the drain.
  mutating func drainArrived(_ drain: UInt64, isRescue: Bool) -> Bool {
    if !isRescue { isRescuing = false }
    guard phase == .pending, drain == number else { return false }
    phase = .draining
    return true
  }

  /// A thread that needs a result at once is about to drain.
  ///
  /// - Returns: whether the caller has the claim, since no other thread is draining.
  mutating func callerArrived() -> Bool {
    if phase == .draining { return false }
    phase = .draining
    return true
  }

  /// The drain is about to release consumed values.
  ///
  /// - Returns: the number of the release, and whether to check it later.
  mutating func releaseBegan() -> (number: UInt64, looksLater: Bool) {
    number += 1
    phase = .releasing
    defer { isLookOnItsWay = true }
    return (number, !isLookOnItsWay)
  }

  /// - Returns: whether the drain keeps the claim; `false` if another drain has taken it.
  mutating func releaseEnded(_ release: UInt64) -> Bool {
    guard phase == .releasing, release == number else { return false }
    phase = .draining
    return true
  }

  /// The mailbox is empty.
  mutating func drainEnded() { phase = .idle }

  /// The interval between two checks has passed. Checks continue while drains follow one another, so that a sender
  /// rarely begins one.
  mutating func lookArrived() -> Step {
    let isWaiting = phase == .pending || phase == .releasing
    let isSame = lookedAt == number
    lookedAt = number
    isLookOnItsWay = isWaiting || !isSame
    var step = Step(looksLater: isLookOnItsWay)
    if isWaiting, isSame {
      // Only a pending drain shows that the usual queue is blocked. A long release does not.
      if phase == .pending { isRescuing = true }
      phase = .pending
      step.drain = number
      step.isRescue = true
    }
    return step
  }
}
