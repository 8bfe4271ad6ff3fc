/// A point in time of a ``TestClock`` or an ``ImmediateClock``: the duration since the clock's start.
///
/// ```swift
/// #expect(clock.now == .start + .seconds(3))
/// ```
public struct TestInstant: InstantProtocol, Sendable, Hashable, CustomStringConvertible {
  /// The instant at which every clock of this module starts by default.
  public static let start = TestInstant(sinceStart: .zero)

  /// The time from ``start`` to this instant; negative before it.
  public let sinceStart: Duration

  /// Makes the instant that is `sinceStart` after ``start``.
  public init(sinceStart: Duration) {
    self.sinceStart = sinceStart
  }

  /// The instant that is `duration` later, or earlier if it is negative.
  public func advanced(by duration: Duration) -> TestInstant {
    TestInstant(sinceStart: sinceStart + duration)
  }

  /// The time from this instant to `other`; negative if `other` is earlier.
  public func duration(to other: TestInstant) -> Duration {
    other.sinceStart - sinceStart
  }

  /// Whether `left` is earlier than `right`.
  public static func < (left: TestInstant, right: TestInstant) -> Bool {
    left.sinceStart < right.sinceStart
  }

  /// The instant that is `duration` later than `instant`.
  public static func + (instant: TestInstant, duration: Duration) -> TestInstant {
    instant.advanced(by: duration)
  }

  /// The instant that is `duration` earlier than `instant`.
  public static func - (instant: TestInstant, duration: Duration) -> TestInstant {
    instant.advanced(by: .zero - duration)
  }

  /// The time from `earlier` to `later`; negative if they are in reverse order.
  public static func - (later: TestInstant, earlier: TestInstant) -> Duration {
    earlier.duration(to: later)
  }

  /// The time since the start, as in `2.5 seconds`.
  public var description: String { sinceStart.description }
}
