/// A timer that the state asks for: who it is, and when it fires.
///
/// A timer runs while it is in the state and is stopped when it leaves. Changing anything of it but the `id`
/// starts it over.
///
/// ```swift
/// let refresh = TimerRequest("refresh", .every(.seconds(30)))
/// ```
public struct TimerRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The identity of the timer in its set.
  public var id: ID
  /// When the timer fires.
  public var schedule: TimerSchedule
  /// By how much a tick may come late, for the clock to gather wake-ups; `nil` leaves it to the clock.
  public var tolerance: Duration?

  /// Makes a timer. Nothing is checked here: what cannot be served is answered by ``TimerEvent/refused(_:_:)``.
  public init(_ id: ID, _ schedule: TimerSchedule, tolerance: Duration? = nil) {
    self.id = id
    self.schedule = schedule
    self.tolerance = tolerance
  }
}

/// When a timer fires. For a time of day or a date, see `WallClockTimerEffect` of `MillraceSystem`.
public enum TimerSchedule: Hashable, Sendable {
  /// Once, this long after the timer was started. Zero fires at once; less than zero is refused.
  case after(Duration)
  /// Again and again, the first time one interval after the timer was started. Due instants are multiples of
  /// the interval from the start, so that lateness never adds up. An interval shorter than
  /// ``TimerLimits/shortestInterval`` is refused.
  case every(Duration, missed: MissedTicks)

  /// Again and again; ticks that were missed are told by the next one.
  public static func every(_ interval: Duration) -> Self { .every(interval, missed: .coalesce) }
}

/// What becomes of ticks whose time passed while nobody could be told: the machine slept, or the reducer was
/// slower than the timer.
public enum MissedTicks: Hashable, Sendable {
  /// One tick stands for all of them and says how many it stands for.
  case coalesce
  /// Each is sent, one after the other, as fast as they are reduced.
  case catchUp
}

/// The durations that a timer can be asked for.
public enum TimerLimits {
  /// The shortest interval of a repeating timer: one millisecond. Below that it would be a busy loop.
  public static var shortestInterval: Duration { .milliseconds(1) }
  /// The longest that a timer waits: a hundred years of 365 days, in seconds. More is taken for a slip.
  public static var longestWait: Duration { .seconds(100 * 365 * 86_400) }
}
