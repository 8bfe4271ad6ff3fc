/// A timer that the state asks for: its identity and when it fires.
///
/// A timer runs while it is in the state and is stopped when it leaves. Changing anything but its `id` restarts it.
///
/// ```swift
/// let refresh = TimerRequest("refresh", .every(.seconds(30)))
/// ```
public struct TimerRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The identity of the timer in its set.
  public var id: ID
  /// When the timer fires.
  public var schedule: TimerSchedule
  /// The largest delay of a tick, which lets the clock combine wake-ups; `nil` leaves it to the clock.
  public var tolerance: Duration?

  /// Makes a timer. Nothing is checked here: a request that cannot be served is answered by
  /// ``TimerEvent/refused(_:_:)``.
  public init(_ id: ID, _ schedule: TimerSchedule, tolerance: Duration? = nil) {
    self.id = id
    self.schedule = schedule
    self.tolerance = tolerance
  }
}

/// When a timer fires. For a time of day or a date, see `WallClockTimerEffect` of `MillraceSystem`.
public enum TimerSchedule: Hashable, Sendable {
  /// Once, this long after the timer was started. Zero fires at once; a negative duration is refused.
  case after(Duration)
  /// Repeatedly, first one interval after the timer was started. Ticks are due at multiples of the interval from the
  /// start, so that delays do not add up. An interval shorter than ``TimerLimits/shortestInterval`` is refused.
  case every(Duration, missed: MissedTicks)

  /// Repeatedly; ticks that were missed are coalesced into the next one.
  public static func every(_ interval: Duration) -> Self { .every(interval, missed: .coalesce) }
}

/// What happens to ticks that could not be sent when they were due, because the machine slept or the reducer was slower
/// than the timer.
public enum MissedTicks: Hashable, Sendable {
  /// One tick replaces all of them and carries their number.
  case coalesce
  /// Each is sent, one after the other, as fast as they are reduced.
  case catchUp
}

/// The limits of a timer's durations.
public enum TimerLimits {
  /// The shortest interval of a repeating timer: one millisecond. A shorter one would be a busy loop.
  public static var shortestInterval: Duration { .milliseconds(1) }
  /// The longest wait of a timer: a hundred years of 365 days. A longer one is taken for a mistake.
  public static var longestWait: Duration { .seconds(100 * 365 * 86_400) }
}
