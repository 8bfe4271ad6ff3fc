import Foundation
import MillraceTesting

extension TestClock {
  /// Returns the date on a calendar that moves with this clock: `start` plus the time by which the clock was advanced.
  ///
  /// Give the code under test its date by this method, and its sleeps by the clock, so that both agree:
  ///
  /// ```swift
  /// let clock = TestClock()
  /// let today: @Sendable () -> Date = { clock.date() }
  /// clock.advance(by: .seconds(60))
  /// #expect(today() == Date(timeIntervalSince1970: 60))
  /// ```
  ///
  /// - Parameter start: the date at the clock's start; by default the beginning of 1970, in UTC.
  public func date(startingAt start: Date = Date(timeIntervalSince1970: 0)) -> Date {
    start.addingTimeInterval(now.sinceStart / .seconds(1))
  }
}
