extension TestClock {
  /// Moves time by `duration`, in one step, and wakes everyone who is due by then.
  ///
  /// Time already stands at its new place when the first of them runs. A loop that sleeps for a length of time,
  /// counted from its waking, is therefore woken once, however long the step is; to have it run as often as it
  /// would on a real clock, use ``advance(by:settling:)``.
  ///
  /// Steps that several threads make at a time add up.
  ///
  /// - Precondition: `duration` is not negative.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "time does not go back (advance by \(duration))")
    state.withLock { $0.advanced(by: duration) }.perform()
  }

  /// Moves time to `instant`, in one step, and wakes everyone who is due by then. Does nothing if the clock
  /// stands there or later.
  ///
  /// For loops, see ``advance(by:)``.
  public func advance(to instant: TestInstant) {
    state.withLock { $0.advanced(to: instant) }.perform()
  }

  /// Moves time to the earliest instant at which someone is due, and wakes all who are due then.
  ///
  /// - Returns: That instant; `nil` if nobody sleeps, and then time stays where it is.
  @discardableResult
  public func runToNextDue() -> TestInstant? {
    let (due, woken) = state.withLock { state in
      let due = state.nextDue
      return (due, due.map { state.advanced(to: $0) } ?? [])
    }
    woken.perform()
    return due
  }

  /// Moves time by `duration`, from one due instant to the next, and waits at each until what was woken there has
  /// settled.
  ///
  /// `settle` says when that is. It is awaited before the first move, at each instant at which somebody was
  /// woken, and at the end. No clock can know when the work that it wakes is done; a test does. A loop, for
  /// instance, is done when it sleeps again:
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
  /// `settle` runs in the caller's isolation. A task that sleeps again before it returns is woken exactly at its
  /// deadline. One that comes later may find that its deadline has passed, and then does not sleep.
  ///
  /// - Throws: What `settle` throws; time then stays where it is.
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
