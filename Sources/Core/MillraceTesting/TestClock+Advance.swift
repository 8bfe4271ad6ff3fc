extension TestClock {
  /// Moves time by `duration` in one step, and wakes every task that is due by then.
  ///
  /// Time has its new value before the first of them runs. So a loop that sleeps for a duration, counted from its
  /// waking, is woken once, however long the step is. To let it run as often as on a real clock, use
  /// ``advance(by:settling:)``.
  ///
  /// Steps of several threads add up.
  ///
  /// - Precondition: `duration` is not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time does not go back (advance by \(duration))")
    state.withLock { $0.advanced(to: $0.now.advanced(by: duration)) }.perform()
  }

  /// Moves time to `instant` in one step, and wakes every task that is due by then. Does nothing if `now` is `instant`
  /// or later.
  ///
  /// For loops, see ``advance(by:)``.
  public func advance(to instant: TestInstant) {
    state.withLock { $0.advanced(to: instant) }.perform()
  }

  /// Moves time to the earliest deadline of a sleeping task, and wakes all tasks that are due then.
  ///
  /// - Returns: that deadline; `nil` if no task sleeps, in which case time does not move.
  @discardableResult
  public func advanceToNextDeadline() -> TestInstant? {
    let (due, woken) = state.withLock { state in
      let due = state.nextDue
      return (due, due.map { state.advanced(to: $0) } ?? [])
    }
    woken.perform()
    return due
  }

  /// Moves time by `duration`, from one deadline to the next, and waits at each until the woken work is done.
  ///
  /// `settle` returns when that work is done, which a clock cannot know. It is awaited before the first step, after
  /// each step, and at the end. A loop, for instance, is done when it sleeps again:
  ///
  /// ```swift
  /// let ticks = Recorder<TestInstant>()
  /// let ticking = Task {
  ///   while true {
  ///     try await clock.sleep(for: .seconds(1))
  ///     ticks.append(clock.now)
  ///   }
  /// }
  /// try await clock.advance(by: .seconds(3)) { try await clock.sleepers(atLeast: 1) }
  /// #expect(ticks.values.map(\.sinceStart) == [.seconds(1), .seconds(2), .seconds(3)])
  /// ```
  ///
  /// `settle` runs in the caller's isolation. A task that sleeps again before `settle` returns is woken exactly at its
  /// deadline. A task that sleeps later may find its deadline passed, and does not sleep.
  ///
  /// - Throws: the error of `settle`; time then does not move further.
  /// - Precondition: `duration` is not negative.
  public nonisolated(nonsending) func advance<Failure: Error>(
    by duration: Duration, settling settle: () async throws(Failure) -> Void
  ) async throws(Failure) {
    precondition(duration >= .zero, "time does not go back (advance by \(duration))")
    let end = now.advanced(by: duration)
    try await settle()
    while now < end {
      state.withLock { $0.advanced(to: min($0.nextDue ?? end, end)) }.perform()
      try await settle()
    }
  }
}
