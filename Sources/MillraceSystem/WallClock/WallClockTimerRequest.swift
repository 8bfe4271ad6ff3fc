import Foundation

/// A timer by the wall clock that the state asks for: who it is, and when it fires.
///
/// A timer runs while it is in the state and is stopped when it leaves. Changing its schedule starts it over.
public struct WallClockTimerRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The identity of the timer in its set.
  public var id: ID
  /// When the timer fires.
  public var schedule: WallClockSchedule

  /// Makes a timer. Nothing is checked here: what cannot be served is answered by
  /// ``WallClockTimerEvent/refused(_:_:)``.
  public init(_ id: ID, _ schedule: WallClockSchedule) {
    self.id = id
    self.schedule = schedule
  }
}

/// What a ``WallClockTimerEffect`` sends.
public enum WallClockTimerEvent<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The timer fired.
  case fired(ID, WallClockTick)
  /// The timer will not fire. Stays so until its request changes.
  case refused(ID, WallClockRefusal)
}

/// One firing of a wall-clock timer.
public struct WallClockTick: Hashable, Sendable {
  /// When this tick was to come. It may have come later.
  public var due: Date
  /// How many ticks before this one it stands for, which were due while the machine slept or when the clock was put
  /// forward. Counted up to a thousand.
  public var missed: Int

  /// Makes a tick, for tests that answer by hand.
  public init(due: Date, missed: Int = 0) {
    self.due = due
    self.missed = missed
  }
}

/// Why a wall-clock timer does not fire.
public enum WallClockRefusal: Error, Hashable, Sendable {
  /// There is no such time of day.
  case noSuchTime(WallClockSchedule.TimeOfDay)
  /// It is to fire on no day of the week.
  case noWeekday
  /// This system knows no time zone of this name.
  case unknownTimeZone(String)
  /// The date is before the year 1 or after the year 9999.
  case dateOutOfRange(Date)
  /// The clock that is waited on threw an error although the timer had not been stopped.
  case clockFailed(String)
}
