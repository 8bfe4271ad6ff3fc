/// An event of a ``TimerEffect``.
public enum TimerEvent<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The timer fired.
  case fired(ID, TimerTick)
  /// The timer cannot be served. It does not fire again until its request changes.
  case refused(ID, TimerRefusal)
}

/// One firing of a timer.
public struct TimerTick: Codable, Hashable, Sendable {
  /// The number of the tick in its schedule, from 1. Missed ticks count, whether they are sent or not.
  public var count: Int
  /// The time from the start of the timer at which this tick was due. It may be sent later, never earlier.
  public var due: Duration
  /// The number of earlier ticks that this one replaces. Always 0 unless missed ticks are coalesced.
  public var missed: Int

  /// Makes a tick, for tests.
  public init(count: Int, due: Duration, missed: Int = 0) {
    self.count = count
    self.due = due
    self.missed = missed
  }
}

/// Why a timer does not fire.
@nonexhaustive public enum TimerRefusal: Error, Codable, Hashable, Sendable {
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

extension TimerEvent: Encodable where ID: Encodable {}
extension TimerEvent: Decodable where ID: Decodable {}
