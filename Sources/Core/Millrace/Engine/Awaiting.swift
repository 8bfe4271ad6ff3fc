extension Engine {
  /// Suspends until `target` is reached.
  ///
  /// - Parameters:
  ///   - isCancellable: whether the wait ends early when the task is cancelled.
  ///   - caller: the name of the wait in a report of a long wait; `nil` if a long wait is not reported.
  /// - Returns: `false` if it was cancelled.
  @discardableResult
  func wait(until target: AwaitTarget, isCancellable: Bool, for caller: StaticString?) async -> Bool {
    let awaiter = Awaiter(target)
    if isReachedNow(by: awaiter) { return true }
    if !isCancellable { return await wait(as: awaiter, isCancellable, for: caller) }
    return await withTaskCancellationHandler {
      await wait(as: awaiter, isCancellable, for: caller)
    } onCancel: {
      locked { if awaiter.continuation != nil { resume([awaiter], returning: false) } }
    }
  }

  private func wait(as awaiter: Awaiter, _ isCancellable: Bool, for caller: StaticString?) async -> Bool {
    await withUnsafeContinuation { continuation in
      locked {
        // A task that is cancelled later finds the continuation.
        if isCancellable, Task.isCancelled { return deliver { continuation.resume(returning: false) } }
        awaiter.continuation = continuation
        // The awaiter is added before the check at the end of this holding, so that no end is missed in between.
        awaiters.add(awaiter)
        due.awaiters = true
        updates.withLock { _ in awaiter.target.isAwaited(true) }
        #if DEBUG
        if let caller { measure(awaiter, of: caller) }
        #endif
      }
    }
  }

  /// Resumes every awaiter whose target is reached, among those that may have changed since the last check. No wait
  /// ends while displays have to be served, which begins updates.
  func resumeAwaiters() {
    if !due.awaiters || due.displays { return }
    resumeReached(awaiters.settling)
    let changed = awaiters.takeChanged()
    // In a test store, a wait depends on more than the connection's own work.
    for number in counter != nil ? Set(awaiters.ofConnections.keys) : changed {
      resumeReached(awaiters.ofConnections[number] ?? [])
    }
    due.awaiters = !awaiters.isEmpty
  }

  /// Resumes those of some awaiters whose target is reached.
  private func resumeReached(_ some: [Awaiter]) {
    if some.isEmpty { return }
    var busy: Account?
    let over = updates.withLock { _ in
      some.filter { awaiter in
        guard case .settled(let account) = awaiter.target else { return isReached(by: awaiter) }
        if account === busy { return false }
        // A wait excludes at most one run or update: with more work, none is over, however many tasks wait.
        if hasWork(account, beyond: 1) { busy = account }
        return account !== busy && isReached(by: awaiter)
      }
    }
    if !over.isEmpty { resume(over, returning: true) }
  }

  /// Resumes awaiters that wait for accounts, or for one connection.
  private func resume(_ some: [Awaiter], returning result: Bool) {
    for awaiter in some {
      guard let continuation = awaiter.continuation.take() else { continue }
      let measuring = awaiter.measuring.take()
      deliver {
        measuring?.cancel()
        continuation.resume(returning: result)
      }
    }
    let left = awaiters.removeResumed(of: some[0].target)
    updates.withLock { _ in
      for awaiter in some { awaiter.target.isAwaited(false) }
      for awaiter in left { awaiter.target.isAwaited(true) }
    }
  }

  /// Calls `body`, and cancels it when the time has passed. Does not wait for its end then.
  ///
  /// - Returns: the result of `body`; `nil` if the time has passed.
  func limit<Result: Sendable>(
    to time: Duration?, _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async -> Result
  ) async -> Result? {
    // A clock cannot represent every duration.
    guard let time, time < .seconds(100 * 365 * 86_400) else { return await body() }
    if time <= .zero { return nil }
    let (results, end) = AsyncStream<Result>.makeStream()
    let work = Task {
      end.yield(await body())
      end.finish()
    }
    let timer = Task {
      try? await clock.sleep(for: time)
      end.finish()
    }
    let result = await results.first { _ in true }
    work.cancel()
    timer.cancel()
    return result
  }

  // MARK: Conditions

  private func isReachedNow(by awaiter: Awaiter) -> Bool {
    let check = { [self] in updates.withLock { _ in isReached(by: awaiter) } }
    // The check of a test store keeps what it has looked at until the lock is released.
    return counter == nil ? withTurnLock(check) : locked(check)
  }

  /// Whether nothing of the account is queued or in progress.
  func isSettled(_ account: Account) -> Bool { isReachedNow(by: Awaiter(.settled(account))) }

  /// Whether its target is reached. The lock of the displays must be held.
  private func isReached(by awaiter: Awaiter) -> Bool {
    switch awaiter.target {
    case .finished(let connected):
      (connected.phase == .ended || connected.hasLast) && isIdle(connected, apartFrom: awaiter.host)
    case .idle(let connected): !due.displays && isIdle(connected, apartFrom: awaiter.host)
    case .settled(let account):
      isIdle(account, apartFrom: awaiter.host) && !due.displays
        && mail.withLock { _ in account.lastTicket <= turn.number }
    }
  }

  // The owner of the host is checked first, since the held locks guard no work of another store.

  /// Whether no work of a connection is in progress, apart from the run or update in which the task waits.
  private func isIdle(_ connected: Connected, apartFrom host: CurrentWork?) -> Bool {
    let isOwn = host.map { work in
      let isInside = connected.inner.map(work.connected.account.isWithin) ?? false
      return (isInside || work.connected === connected) && work.isUnderWay
    }
    return connected.workUnderWay <= (isOwn == true ? 1 : 0)
  }

  /// Whether no counted work of an account is in progress, apart from the run or update in which the task waits.
  private func isIdle(_ account: Account, apartFrom host: CurrentWork?) -> Bool {
    let isOwn = host.map { work in
      work.connected.account.isWithin(account) && work.isUnderWay && work.isCounted
    }
    return !hasWork(account, beyond: isOwn == true ? 1 : 0)
  }

  /// Whether more counted work of an account than `count` is in progress.
  private func hasWork(_ account: Account, beyond count: Int) -> Bool {
    (counter == nil ? (account.runs + account.updates).counted : workAtWork(in: account)) > count
  }
}
