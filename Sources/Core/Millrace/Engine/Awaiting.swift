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
    if isReached(by: awaiter) { return true }
    if !isCancellable { return await wait(as: awaiter, for: caller) }
    return await withTaskCancellationHandler {
      await wait(as: awaiter, for: caller)
    } onCancel: {
      locked {
        awaiter.isCancelled = true
        if awaiter.continuation != nil { resume([awaiter], of: target.place, returning: false) }
      }
    }
  }

  private func wait(as awaiter: Awaiter, for caller: StaticString?) async -> Bool {
    await withUnsafeContinuation { continuation in
      locked {
        if awaiter.isCancelled { return deliver { continuation.resume(returning: false) } }
        awaiter.continuation = continuation
        // The awaiter is added before the check at the end of this holding, so that no end is missed in between.
        awaiters.add(awaiter)
        due.awaiters = true
        updates.withLock { _ in awaiter.target.isAwaited(true) }
        #if DEBUG
        resumeAwaiters(awaiters[awaiter.target.place], of: awaiter.target.place)
        if let caller, awaiter.continuation != nil { measure(awaiter, of: caller) }
        #endif
      }
    }
  }

  /// Resumes every awaiter whose target is reached, among those that may have changed since the last check. No wait ends
  /// while displays have to be served, which begins updates.
  func resumeAwaiters() {
    if !due.awaiters || due.displays { return }
    // In a test store, a wait depends on more than the amount of counted work. The last counted work may be the one that
    // contains the waiting task.
    for index in awaiters.ofAccounts.indices.reversed() {
      let one = awaiters.ofAccounts[index]
      if counter != nil || one.account.runs.counted <= 1 {
        resumeAwaiters(one.waiting, of: .account(one.account))
      }
    }
    let changed = awaiters.takeChanged()
    if !awaiters.ofConnections.isEmpty {
      for number in counter != nil ? Set(awaiters.ofConnections.keys) : changed {
        resumeAwaiters(awaiters[.connection(number)], of: .connection(number))
      }
    }
    due.awaiters = !awaiters.isEmpty
  }

  /// - Parameter all: the awaiters of the place.
  private func resumeAwaiters(_ all: [Awaiter], of place: Awaiters.Place) {
    guard let first = all.first?.target else { return }
    let over = updates.withLock { _ -> [Awaiter] in
      if case .account = place, !isReached(first) { return [] }
      let outstanding = outstandingWork(of: first)
      if outstanding > 1 { return [] }
      return all.filter {
        (outstanding == 0 || $0.host != nil) && isReached($0.target, by: $0.host, outstanding)
      }
    }
    if !over.isEmpty { resume(over, of: place, returning: true) }
  }

  private func resume(_ some: [Awaiter], of place: Awaiters.Place, returning result: Bool) {
    for awaiter in some {
      guard let continuation = awaiter.continuation.take() else { continue }
      let measuring = awaiter.measuring.take()
      deliver {
        measuring?.cancel()
        continuation.resume(returning: result)
      }
    }
    let left = awaiters[place].filter { $0.continuation != nil }
    awaiters.put(left, at: place)
    updates.withLock { _ in
      for awaiter in some { awaiter.target.isAwaited(false) }
      for awaiter in left { awaiter.target.isAwaited(true) }
    }
  }

  /// Calls `body`, and cancels it when the time has passed. Does not wait for its end then.
  func limit(
    to time: Duration?, _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async -> Void
  ) async {
    // A clock cannot represent every duration.
    guard let time, time < .seconds(100 * 365 * 86_400) else { return await body() }
    if time <= .zero { return }
    let (ends, end) = AsyncStream<Never>.makeStream()
    let work = Task {
      await body()
      end.finish()
    }
    let timer = Task {
      try? await clock.sleep(for: time)
      end.finish()
    }
    for await _ in ends {}
    work.cancel()
    timer.cancel()
  }

  // MARK: Conditions

  private func isReached(by awaiter: Awaiter) -> Bool {
    let check = { [self] in
      updates.withLock { _ in
        isReached(awaiter.target, by: awaiter.host, outstandingWork(of: awaiter.target))
      }
    }
    // The check of a test store keeps what it has looked at until the lock is released.
    return counter == nil ? withTurnLock(check) : locked(check)
  }

  /// Whether nothing of the account is queued or in progress.
  func isSettled(_ account: Account) -> Bool { isReached(by: Awaiter(.settled(account))) }

  /// Whether the target is reached for a task inside this work. The lock of the displays must be held.
  private func isReached(_ target: AwaitTarget, by host: CurrentWork?, _ outstanding: Int) -> Bool {
    guard isReached(target) else { return false }
    // A wait inside a run or an update excludes that run or update.
    return outstanding == 0 || outstanding == 1 && host.map { counts($0, in: target) } ?? false
  }

  /// Whether the target is reached apart from work in progress.
  private func isReached(_ target: AwaitTarget) -> Bool {
    switch target {
    case .finished(let connected): connected.phase == .ended || connected.hasLast
    case .idle: !due.displays
    case .settled(let account):
      !due.displays && mail.withLock { _ in account.lastTicket <= turn.number }
    }
  }

  private func outstandingWork(of target: AwaitTarget) -> Int {
    switch target {
    case .finished(let connected), .idle(let connected): connected.workUnderWay
    case .settled(let account) where counter != nil:
      workAtWork(in: account)
    case .settled(let account): (account.runs + account.updates).counted
    }
  }

  /// Whether the work is in progress and belongs to the target.
  private func counts(_ work: CurrentWork, in target: AwaitTarget) -> Bool {
    // The owner is checked first, since the held locks guard no work of another store.
    switch target {
    case .finished(let connected), .idle(let connected):
      let isInside = connected.inner.map(work.connected.account.isWithin) ?? false
      return (isInside || work.connected === connected) && work.isUnderWay
    case .settled(let account):
      return work.connected.account.isWithin(account) && work.isUnderWay && work.isCounted
    }
  }
}
