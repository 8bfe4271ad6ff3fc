import Foundation

/// A wall-clock timer that the state asks for: its identity and schedule.
///
/// A timer runs while it is in the state and is stopped when it leaves. Changing its schedule restarts it.
public struct WallClockTimerRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The identity of the timer in its set.
  public var id: ID
  /// When the timer fires.
  public var schedule: WallClockSchedule

  /// Makes a timer. Nothing is checked here: a request that cannot be served is answered by
  /// ``WallClockTimerEvent/refused(_:_:)``.
  public init(_ id: ID, _ schedule: WallClockSchedule) {
    self.id = id
    self.schedule = schedule
  }
}

/// An event of a ``WallClockTimerEffect``.
public enum WallClockTimerEvent<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The timer fired.
  case fired(ID, WallClockTick)
  /// The timer cannot be served and does not fire until its request changes.
  case refused(ID, WallClockRefusal)
}

/// One firing of a wall-clock timer.
public struct WallClockTick: Codable, Hashable, Sendable {
  /// The time at which this tick was due. It may be sent later.
  public var due: Date
  /// The number of earlier ticks that this one replaces, which were due while the machine slept or when the clock was
  /// put forward. At most 1,000.
  public var missed: Int

  /// Makes a tick, for tests.
  public init(due: Date, missed: Int = 0) {
    self.due = due
    self.missed = missed
  }
}

/// The reason why a wall-clock timer does not fire.
@nonexhaustive public enum WallClockRefusal: Error, Codable, Hashable, Sendable {
  /// The time of day is invalid.
  case noSuchTime(WallClockSchedule.TimeOfDay)
  /// The set of weekdays is empty.
  case noWeekday
  /// The system has no time zone of this name.
  case unknownTimeZone(String)
  /// The date is before the year 1 or after the year 9999.
  case dateOutOfRange(Date)
  /// The clock's `sleep` threw an error although the timer had not been stopped.
  case clockFailed(String)
}

extension WallClockTimerEvent: Codable where ID: Codable {}
