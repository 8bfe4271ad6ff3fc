import Millrace

/// A clock whose time moves only when a test moves it.
///
/// Give it to code under test instead of a `ContinuousClock`. Wait until that code sleeps, then move time:
///
/// ```swift
/// let clock = TestClock()
/// let reminder = Task {
///   try await clock.sleep(for: .seconds(60))
///   return "stand up"
/// }
/// try await clock.sleepers(atLeast: 1)
/// clock.advance(by: .seconds(60))
/// #expect(try await reminder.value == "stand up")
/// ```
///
/// It promises:
///
/// - Time never moves by itself, and never back.
/// - After ``advance(to:)`` or another advancing method has returned, no task sleeps whose deadline has passed. This
///   includes tasks that were woken meanwhile and slept again: a sleep until a past instant returns at once.
/// - Tasks are resumed in order of their deadlines, and in order of arrival for equal ones. When a task is resumed,
///   ``now`` is its deadline or later.
/// - A sleeping task that is cancelled is woken at once with a `CancellationError`. A task that is cancelled before
///   it sleeps does not sleep.
///
/// It does not promise that a task that was resumed first also runs first, not even on one actor, since Swift does not
/// promise that. Nor does it promise an order between tasks that are woken by two calls from different threads. For an
/// order, advance to one deadline after the other.
///
/// All members can be used from any thread. Each costs time in proportion to the number of sleeping tasks.
public final class TestClock: Clock, Sendable {
  let state: Lock<TestClockState<SuspendedTask>>  // all that changes

  /// Makes a clock whose time is `now`.
  public init(now: TestInstant = .start) {
    state = Lock(TestClockState(now: now))
  }

  /// The current time of the clock.
  public var now: TestInstant { state.withLock { $0.now } }

  /// Zero: the clock wakes every task exactly at its deadline.
  public var minimumResolution: Duration { .zero }

  /// The sleeping tasks, in the order in which they will be woken.
  public var sleepers: [Sleeper] { state.withLock { $0.sleepers } }

  /// Suspends the current task until the clock's time is `deadline` or later; returns at once if it is already.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before it is woken. Also if it was cancelled before the
  ///   call, even if `deadline` has passed.
  public nonisolated(nonsending) func sleep(
    until deadline: TestInstant, tolerance: Duration? = nil
  ) async throws(CancellationError) {
    let sleeper = Sleeper(deadline: deadline, tolerance: tolerance, name: Sleeper.currentTaskName)
    try await state.wait(in: \.sleeping, for: "a test clock until \(deadline)") { state, ticket, task in
      state.sleeperArrived(ticket, task, sleeper)
    }
  }

  /// Waits until at least `count` tasks sleep on the clock.
  ///
  /// - Returns: the tasks that sleep at that moment, in the order in which they will be woken.
  /// - Throws: `CancellationError` if the task is cancelled before that.
  @discardableResult
  public nonisolated(nonsending) func sleepers(
    atLeast count: Int
  ) async throws(CancellationError) -> [Sleeper] {
    try await state.wait(in: \.watching) { state, ticket, task in
      state.watching.suspended(ticket, waiter: task, for: count, isReached: count <= state.sleeping.count)
    }
    return sleepers
  }
}

extension TestClock: CustomStringConvertible {
  /// The time of the clock and the tasks that sleep on it.
  public var description: String {
    let (now, sleepers) = state.withLock { ($0.now, $0.sleepers) }
    let list = sleepers.isEmpty ? "nobody sleeps" : sleepers.map(\.description).joined(separator: ", ")
    return "TestClock at \(now): \(list)"
  }
}
