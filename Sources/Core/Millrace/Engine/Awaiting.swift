/// What a wait waits for.
enum AwaitTarget: Hashable {
  /// Nothing of the account is queued or in progress.
  case settled(Account)
  /// The connection, its work, and everything connected through its parts has ended.
  case finished(Connected)
  /// No work of the connection is in progress. The connection may continue.
  case idle(Connected)

  /// Sets whether the ends of its updates are reported to the awaiters. The lock of the displays must be held.
  fileprivate func isAwaited(_ isAwaited: Bool) {
    switch self {
    case .settled(let account): account.isAwaited = isAwaited
    case .finished: break
    case .idle(let connected):
      (connected as? Display)?.isAwaited = isAwaited
      connected.inner?.isAwaited = isAwaited
    }
  }
}

/// A task that waits until its target is reached.
final class Awaiter: @unchecked Sendable {  // its variables are guarded by the turn lock
  let target: AwaitTarget
  /// The run or the update that contains the waiting task. The wait excludes it.
  fileprivate let host = CurrentWork.mark
  /// Resumed with whether the target was reached. `nil` unless the task waits.
  fileprivate(set) var continuation: UnsafeContinuation<Bool, Never>?
  fileprivate var isCancelled = false
  /// Reports the wait if it is long.
  var measuring: Task<Void, Never>?

  fileprivate init(_ target: AwaitTarget) { self.target = target }
}

/// The awaiters. Guarded by the turn lock.
struct Awaiters {
  /// The awaiters by target, since all of one target are checked at once.
  fileprivate private(set) var all: [AwaitTarget: [Awaiter]] = [:]
  /// The accounts among the targets.
  private var accounts: [Account] = []
  /// The other targets with work that has ended since the last check.
  private var changed: Set<AwaitTarget> = []

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.values.reduce(0) { $0 + $1.count } }

  fileprivate mutating func add(_ awaiter: Awaiter) {
    changed.insert(awaiter.target)
    if let index = all.index(forKey: awaiter.target) { return all.values[index].append(awaiter) }
    all[awaiter.target] = [awaiter]
    if case .settled(let account) = awaiter.target { accounts.append(account) }
  }

  /// Removes the resumed awaiters of a target.
  ///
  /// - Returns: whether none is left.
  fileprivate mutating func removeResumed(of target: AwaitTarget) -> Bool {
    guard let index = all.index(forKey: target) else { return true }
    all.values[index].removeAll { $0.continuation == nil }
    if !all.values[index].isEmpty { return false }
    all.remove(at: index)
    if case .settled(let account) = target { accounts.removeAll { $0 === account } }
    if all.isEmpty { changed = [] }
    return true
  }

  /// Some work of a connection has ended.
  mutating func workEnded(of connected: Connected) {
    if all.count == accounts.count { return }
    changed.formUnion([.finished(connected), .idle(connected)])
    connected.account.upwards {
      if let keeper = $0.keeper { changed.formUnion([.finished(keeper), .idle(keeper)]) }
    }
  }

  /// Returns the targets that may have been reached since the last call.
  ///
  /// - Parameter isAnyWork: whether `settled()` depends on more than the amount of counted work.
  fileprivate mutating func takeChanged(isAnyWork: Bool) -> [AwaitTarget] {
    var targets = Array(changed)
    if !changed.isEmpty { changed = [] }
    if isAnyWork { return Array(all.keys) }
    // The last counted work may be the one that contains the waiting task.
    for account in accounts where account.runs.counted <= 1 { targets.append(.settled(account)) }
    return targets
  }
}

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
    if isReached(target, by: awaiter) { return true }
    if !isCancellable { return await wait(as: awaiter, for: caller) }
    return await withTaskCancellationHandler {
      await wait(as: awaiter, for: caller)
    } onCancel: {
      locked {
        awaiter.isCancelled = true
        resume([awaiter], of: target, returning: false)
      }
    }
  }

  private func wait(as awaiter: Awaiter, for caller: StaticString?) async -> Bool {
    await withUnsafeContinuation { continuation in
      locked {
        if awaiter.isCancelled { return decided.deliver { continuation.resume(returning: false) } }
        awaiter.continuation = continuation
        // The end of this holding of the lock checks the target, so that no end is missed before the wait.
        awaiters.add(awaiter)
        due.awaiters = true
        updates.withLock { _ in awaiter.target.isAwaited(true) }
        #if DEBUG
        if let caller { measure(awaiter, of: caller) }
        #endif
      }
    }
  }

  /// Resumes every awaiter whose target is reached, among those that may have changed since the last check. No wait ends
  /// while displays have to be served, which begins updates.
  func resumeAwaiters() {
    if !due.awaiters || due.displays { return }
    for target in awaiters.takeChanged(isAnyWork: counter != nil) {
      guard let waiting = awaiters.all[target] else { continue }
      let satisfied = updates.withLock { _ in self.satisfied(waiting, target) }
      if !satisfied.isEmpty { resume(satisfied, of: target, returning: true) }
    }
    due.awaiters = !awaiters.isEmpty
  }

  private func resume(_ some: [Awaiter], of target: AwaitTarget, returning result: Bool) {
    for awaiter in some {
      guard let continuation = awaiter.continuation.take() else { continue }
      decided.deliver { [measuring = awaiter.measuring.take()] in
        measuring?.cancel()
        continuation.resume(returning: result)
      }
    }
    if awaiters.removeResumed(of: target) { updates.withLock { _ in target.isAwaited(false) } }
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

  /// Whether the target is reached for an awaiter of the current task.
  private func isReached(_ target: AwaitTarget, by awaiter: Awaiter) -> Bool {
    withTurnLock { updates.withLock { _ in !satisfied([awaiter], target).isEmpty } }
  }

  /// Whether nothing of the account is queued or in progress.
  func isSettled(_ account: Account) -> Bool {
    let target = AwaitTarget.settled(account)
    return isReached(target, by: Awaiter(target))
  }

  /// The awaiters among `waiting` whose target is reached. The lock of the displays must be held.
  private func satisfied(_ waiting: [Awaiter], _ target: AwaitTarget) -> [Awaiter] {
    guard isReached(target) else { return [] }
    let outstanding = outstandingWork(of: target)
    // A wait inside a run or an update excludes that run or update.
    return waiting.filter { awaiter in
      outstanding == 0 || outstanding == 1 && awaiter.host.map { counts($0, in: target) } ?? false
    }
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
