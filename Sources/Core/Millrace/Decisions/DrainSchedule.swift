/// Decides which thread drains a mailbox, and when another thread has to rescue a drain. Pure.
///
/// A drain usually runs on a global queue of Dispatch. That queue begins no drain while bodies compute on every core. So
/// while a drain is pending, the store looks at it every few milliseconds. A drain that is pending at two looks in a row
/// runs on the rescuing queue, as do the drains after it, until the usual queue begins one again. The store also looks at
/// a drain that releases the user's values between two holdings, since their `deinit` may take long.
///
/// One drain at a time has the *claim*: the schedule counts on its thread to empty the mailbox, and begins no other.
struct DrainSchedule: Hashable {
  private enum Phase { case idle, pending, draining, releasing }

  /// The step to perform once the lock is released.
  struct Step: Hashable {
    /// The number of the drain to begin, if any.
    var drain: UInt64?
    /// Whether to begin it on the rescuing queue.
    var isRescue = false
    /// Whether to look again after a while.
    var looksLater = false
  }

  private var phase = Phase.idle
  /// The number of the latest drain or release.
  private var number: UInt64 = 0
  /// The number at the last look.
  private var lookedAt: UInt64 = 0
  private var isLookOnItsWay = false
  private var isRescuing = false

  /// Something is in the mailbox.
  mutating func mailArrived() -> Step {
    guard phase == .idle else { return Step() }
    return begin()
  }

  /// The current drain leaves what waits to another.
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
  /// - Returns: whether it is to: another thread may have claimed the drain.
  mutating func drainArrived(_ drain: UInt64, isRescue: Bool) -> Bool {
    if !isRescue { isRescuing = false }
    guard phase == .pending, drain == number else { return false }
    phase = .draining
    return true
  }

  /// A thread that needs a result at once wants to drain.
  ///
  /// - Returns: whether no other thread is draining, so that the caller has the claim.
  mutating func callerArrived() -> Bool {
    if phase == .draining { return false }
    phase = .draining
    return true
  }

  /// The drain is about to release what it has consumed.
  ///
  /// - Returns: the number of the release, with whether to look after it.
  mutating func releaseBegan() -> (number: UInt64, looksLater: Bool) {
    number += 1
    phase = .releasing
    defer { isLookOnItsWay = true }
    return (number, !isLookOnItsWay)
  }

  /// - Returns: whether the drain keeps the claim: another drain may have taken it.
  mutating func releaseEnded(_ release: UInt64) -> Bool {
    guard phase == .releasing, release == number else { return false }
    phase = .draining
    return true
  }

  /// The mailbox is empty.
  mutating func drainEnded() { phase = .idle }

  /// The interval between two looks has passed. Looks go on while drains come, so that a sender rarely begins one.
  mutating func lookArrived() -> Step {
    let isWaiting = phase == .pending || phase == .releasing
    let isSame = lookedAt == number
    lookedAt = number
    isLookOnItsWay = isWaiting || !isSame
    var step = Step(looksLater: isLookOnItsWay)
    if isWaiting, isSame {
      // The usual queue did not begin it; a release that takes long says nothing of the queue.
      if phase == .pending { isRescuing = true }
      phase = .pending
      step.drain = number
      step.isRescue = true
    }
    return step
  }
}
