import Foundation

/// When a wall-clock timer fires.
///
/// ```swift
/// let schedule = WallClockSchedule.daily(at: .init(6, 30), timeZone: "Europe/Berlin")
/// ```
public enum WallClockSchedule: Hashable, Sendable {
  /// Once, at a date, rounded up to a whole second; at once if the date has passed.
  case once(at: Date)
  /// On each of these weekdays, at a time of day in a time zone. The time zone is a name, such as `Europe/Berlin`, or
  /// `nil` for that of this machine.
  ///
  /// If clocks are put forward over the time, the timer fires when they are put forward; if they are put back over
  /// it, it fires the first time only. A day that a time zone skips is skipped.
  case weekly(on: Set<Weekday>, at: TimeOfDay, timeZone: String?)

  /// Every day, at a time of day in a time zone, under the rules of `weekly(on:at:timeZone:)`.
  public static func daily(at time: TimeOfDay, timeZone: String? = nil) -> Self {
    .weekly(on: Set(Weekday.allCases), at: time, timeZone: timeZone)
  }

  /// A time of day on the wall clock. Nothing is checked here: an invalid time is answered by
  /// ``WallClockTimerEvent/refused(_:_:)``.
  public struct TimeOfDay: Codable, Hashable, Sendable {
    /// The hour, from 0 to 23.
    public var hour: Int
    /// The minute, from 0 to 59.
    public var minute: Int
    /// The second, from 0 to 59.
    public var second: Int

    /// Makes a time of day.
    public init(_ hour: Int, _ minute: Int = 0, _ second: Int = 0) {
      (self.hour, self.minute, self.second) = (hour, minute, second)
    }
  }

  /// A day of the week.
  public enum Weekday: Int, Hashable, Sendable, CaseIterable {
    /// The days in the order of the ISO calendar.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
  }
}
