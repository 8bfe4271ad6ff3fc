import Foundation

/// When a wall-clock timer fires.
///
/// ```swift
/// let schedule = WallClockSchedule.daily(at: .init(6, 30), timeZone: "Europe/Berlin")
/// ```
public enum WallClockSchedule: Hashable, Sendable {
  /// Once, at a date, to the next whole second; at once, if that has passed.
  case once(at: Date)
  /// On each of these weekdays, at a time of day in a time zone: its name, such as `Europe/Berlin`, or `nil` for that of
  /// this machine.
  ///
  /// On a day on which clocks are put forward over the time, it fires when they are put forward; where they are put back
  /// over it, it fires the first time only. A day that a time zone leaves out altogether is left out.
  case weekly(on: Set<Weekday>, at: TimeOfDay, timeZone: String?)

  /// Every day, at a time of day in a time zone, as `weekly(on:at:timeZone:)`.
  public static func daily(at time: TimeOfDay, timeZone: String? = nil) -> Self {
    .weekly(on: Set(Weekday.allCases), at: time, timeZone: timeZone)
  }

  /// A time as a clock on the wall shows it. Nothing is checked here: what is no time is answered by
  /// ``WallClockTimerEvent/refused(_:_:)``.
  public struct TimeOfDay: Hashable, Sendable {
    /// From 0 to 23.
    public var hour: Int
    /// From 0 to 59.
    public var minute: Int
    /// From 0 to 59.
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
