import Millrace

/// A clock on which nobody has to wait: every sleep ends at once, and time moves to its deadline.
///
/// Use it where a test is about what is done and not about when: retries, for instance, or a slow start. For
/// anything that depends on the order of sleeps in different tasks, use a ``TestClock``.
///
/// ```swift
/// let clock = ImmediateClock()
/// try await clock.sleep(for: .seconds(3600))
/// #expect(clock.now == .start + .seconds(3600))
/// ```
///
/// A sleep is still a suspension: other tasks get their turn, so that a loop around it starves nobody. Beware of
/// loops that only a cancellation ends: on this clock they never pause.
///
/// All members can be used from any thread.
public final class ImmediateClock: Clock, Sendable {
  private let current: Lock<TestInstant>  // never goes back

  /// Makes a clock that stands at `now`.
  public init(now: TestInstant = .start) {
    current = Lock(now)
  }

  /// The latest deadline of any sleep so far, or the instant at which the clock was made to stand.
  public var now: TestInstant { current.withLock { $0 } }

  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Moves time to `deadline`, unless it has come, lets other tasks have a turn and returns.
  ///
  /// - Throws: `CancellationError` if the task was cancelled before the call, and then time stays where it is, or
  ///   if it is cancelled while others have their turn.
  public nonisolated(nonsending) func sleep(
    until deadline: TestInstant, tolerance: Duration? = nil
  ) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    current.withLock { $0 = max($0, deadline) }
    await Task.yield()
    if Task.isCancelled { throw CancellationError() }
  }
}
