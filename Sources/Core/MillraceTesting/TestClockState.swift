/// The state machine of a ``TestClock``: its time, the tasks that sleep, and the tasks that wait for sleepers.
///
/// Invariant: every sleeping task sleeps until an instant after `now`.
struct TestClockState<Waiter> {
  private(set) var now: TestInstant

  /// Sleeping tasks, in order of arrival.
  var sleeping = WaitList<TestClock.Sleeper, Waiter>()

  /// Tasks that wait for a number of sleepers.
  var watching = WaitList<Int, Waiter>()

  /// The sleeping tasks, in the order in which they will be woken.
  var sleepers: [TestClock.Sleeper] {
    sleeping.keys.sorted { $0.deadline < $1.deadline }  // stable: ties stay in order of arrival
  }

  /// The earliest deadline of a sleeping task.
  var nextDue: TestInstant? { sleeping.keys.lazy.map(\.deadline).min() }

  mutating func sleeperArrived(
    _ ticket: WaitList<TestClock.Sleeper, Waiter>.Ticket, _ waiter: Waiter, _ sleeper: TestClock.Sleeper
  ) -> [Resumption<Waiter>] {
    let isDue = sleeper.deadline <= now
    let resumed = sleeping.suspended(ticket, waiter: waiter, for: sleeper, isReached: isDue)
    return resumed.isEmpty ? watching.reached(count: sleeping.count) : resumed
  }

  /// Time is moved to `instant`, unless it is already later.
  mutating func advanced(to instant: TestInstant) -> [Resumption<Waiter>] {
    guard instant > now else { return [] }
    now = instant
    return sleeping.reached { $0.deadline <= instant }
      .sorted { $0.key.deadline < $1.key.deadline }  // stable: ties stay in order of arrival
      .map(\.resumption)
  }
}
