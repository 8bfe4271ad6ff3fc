/// What a ``TimerEffect`` sends.
public enum TimerEvent<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The timer fired.
  case fired(ID, TimerTick)
  /// The timer will not fire, or not again. Stays so until its request changes.
  case refused(ID, TimerRefusal)
}

/// One firing of a timer.
public struct TimerTick: Hashable, Sendable {
  /// The number of the tick in its schedule, from 1. Missed ticks are counted, whether told or not.
  public var count: Int
  /// How long after the start of the timer this tick was to come. It may have come later, never earlier.
  public var due: Duration
  /// How many ticks before this one it stands for. Always 0 unless missed ticks are coalesced.
  public var missed: Int

  /// Makes a tick, for tests that answer by hand.
  public init(count: Int, due: Duration, missed: Int = 0) {
    self.count = count
    self.due = due
    self.missed = missed
  }
}

/// Why a timer does not fire.
public enum TimerRefusal: Error, Hashable, Sendable {
  /// The interval of a repeating timer is zero.
  case intervalIsZero
  /// The interval or the delay is negative.
  case negative(Duration)
  /// The interval of a repeating timer is shorter than ``TimerLimits/shortestInterval``.
  case tooShort(Duration)
  /// The interval, or the wait until the first tick, is longer than ``TimerLimits/longestWait``.
  case tooLong(Duration)
  /// The tolerance is negative.
  case negativeTolerance(Duration)
  /// The clock's `sleep` threw an error although the timer had not been stopped.
  case clockFailed(String)
}
