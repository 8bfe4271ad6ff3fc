import Millrace

/// A clock whose time stands still until a test moves it.
///
/// Give it to the code under test in place of a `ContinuousClock`. Wait until that code sleeps, then move time:
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
/// What it promises:
///
/// - Time moves only when it is told to, and never back.
/// - After ``advance(to:)`` and its like have returned, nobody is asleep whose deadline has come. This includes
///   those that were woken meanwhile and slept again: a sleep until an instant that has come returns at once.
/// - Sleepers are resumed in order of their deadlines, ties in order of arrival. When one is resumed, ``now`` is
///   at its deadline or later.
/// - A sleeping task that is cancelled is woken at once with a `CancellationError`. A task that is cancelled
///   before it sleeps does not sleep.
///
/// What it does not promise: that a task that was resumed first runs first, unless both live on one serial
/// executor; and an order between the sleepers that are woken by two calls from different threads.
///
/// All members can be used from any thread. Each costs time in proportion to the number of sleepers.
public final class TestClock: Clock, Sendable {
  let state: Lock<TestClockState<SuspendedTask>>  // all that changes

  /// Makes a clock that stands at `now`.
  public init(now: TestInstant = .start) {
    state = Lock(TestClockState(now: now))
  }

  /// The instant at which the clock stands.
  public var now: TestInstant { state.withLock { $0.now } }

  /// Zero: the clock wakes everyone exactly at its deadline.
  public var minimumResolution: Duration { .zero }

  /// Those who sleep, in the order in which they will be woken.
  public var sleepers: [Sleeper] { state.withLock { $0.sleepers } }

  /// Suspends the current task until the clock stands at `deadline` or later; returns at once if it does already.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before it is woken, also if it was cancelled before
  ///   the call and `deadline` has come.
  public nonisolated(nonsending) func sleep(
    until deadline: TestInstant, tolerance: Duration? = nil
  ) async throws(CancellationError) {
    let sleeper = Sleeper(deadline: deadline, tolerance: tolerance, name: Sleeper.currentTaskName)
    try await state.wait(in: \.sleeping) { state, ticket, task in
      state.sleeperArrived(ticket, task, sleeper)
    }
  }

  /// Returns as soon as `count` tasks or more sleep on the clock, at once if they do already.
  ///
  /// - Returns: Those who sleep when this resumes, in the order in which they will be woken.
  /// - Throws: `CancellationError` if the task is cancelled before that.
  @discardableResult
  public nonisolated(nonsending) func sleepers(
    atLeast count: Int
  ) async throws(CancellationError) -> [Sleeper] {
    try await state.wait(in: \.watching) { state, ticket, task in
      state.watcherArrived(ticket, task, for: count)
    }
    return sleepers
  }
}

extension TestClock: CustomStringConvertible {
  /// Where the clock stands and who sleeps on it.
  public var description: String {
    let (now, sleepers) = state.withLock { ($0.now, $0.sleepers) }
    let list = sleepers.isEmpty ? "nobody sleeps" : sleepers.map(\.description).joined(separator: ", ")
    return "TestClock at \(now): \(list)"
  }
}
