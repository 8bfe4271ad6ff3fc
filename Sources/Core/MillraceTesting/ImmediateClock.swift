import Millrace

/// A clock on which no task waits: every sleep ends at once, and time moves to its deadline.
///
/// Use it in tests that check results and not times, such as those of retries. If the order of sleeps in different
/// tasks matters, use a ``TestClock``.
///
/// ```swift
/// let clock = ImmediateClock()
/// try await clock.sleep(for: .seconds(3600))
/// #expect(clock.now == .start + .seconds(3600))
/// ```
///
/// A sleep still suspends its task, so that a loop around it does not starve other tasks. A loop that only cancellation
/// ends never pauses on this clock.
///
/// All members can be used from any thread.
public final class ImmediateClock: Clock, Sendable {
  private let current: Lock<TestInstant>  // never goes back

  /// Makes a clock whose time is `now`.
  public init(now: TestInstant = .start) {
    current = Lock(now)
  }

  /// The latest deadline of any sleep so far, or the initial time.
  public var now: TestInstant { current.withLock { $0 } }

  /// The minimum resolution of the clock: zero.
  public var minimumResolution: Duration { .zero }

  /// Moves time to `deadline` if it is later than `now`, lets other tasks run, and returns.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before the call, in which case time does not move, or
  ///   while other tasks ran.
  public nonisolated(nonsending) func sleep(
    until deadline: TestInstant, tolerance: Duration? = nil
  ) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    current.withLock { $0 = max($0, deadline) }
    await Task.yield()
    if Task.isCancelled { throw CancellationError() }
  }
}
