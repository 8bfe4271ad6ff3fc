/// A task that waits until a ``WaitTarget`` is reached.
struct Waiter {
  let id: ObjectIdentifier
  /// The run or the update inside which it waits, and which it does not wait for.
  let host: CurrentWork?
  let continuation: UnsafeContinuation<Bool, Never>
}

/// The aim of a wait.
enum WaitTarget {
  /// Nothing of the account is queued or under way.
  case settled(Account)
  /// The connection has ended, and so has all work of it and of what was connected through its parts.
  case finished(Connected)
  /// No work of the connection, which may go on, is under way.
  case idle(Connected)

  /// Identifies the target.
  enum Key: Hashable {
    case settled(ObjectIdentifier)
    case finished(ObjectIdentifier)
    case idle(ObjectIdentifier)
  }

  /// Whether the ends of its updates are told. The lock of the displays must be held.
  func isAwaited(_ isAwaited: Bool) {
    switch self {
    case .settled(let account): account.isAwaited = isAwaited
    case .finished: break
    case .idle(let connected):
      (connected as? Display)?.isAwaited = isAwaited
      connected.inner?.isAwaited = isAwaited
    }
  }

  var key: Key {
    switch self {
    case .settled(let account): .settled(ObjectIdentifier(account))
    case .finished(let connected): .finished(ObjectIdentifier(connected))
    case .idle(let connected): .idle(ObjectIdentifier(connected))
    }
  }
}

/// The waiters, in groups with one target each, since one look serves the whole group. Guarded by the turn lock.
struct Waiters {
  struct Group {
    let target: WaitTarget
    var waiters: [Waiter]
  }

  fileprivate var groups: [WaitTarget.Key: Group] = [:]
  /// The targets of the kind `settled`.
  private var settledAccounts: [Account] = []
  /// The other targets of which some work has ended since they were last looked at.
  private var changedKeys: Set<WaitTarget.Key> = []

  var isEmpty: Bool { groups.isEmpty }

  /// Whether the wait goes on. The newest of its group is found at once.
  func holds(_ token: WaitToken, for target: WaitTarget) -> Bool {
    groups[target.key]?.waiters.last { $0.id == ObjectIdentifier(token) } != nil
  }

  var count: Int { groups.values.reduce(0) { $0 + $1.waiters.count } }

  fileprivate mutating func add(_ waiter: Waiter, for target: WaitTarget) {
    if groups[target.key] == nil, case .settled(let account) = target { settledAccounts.append(account) }
    groups[target.key, default: Group(target: target, waiters: [])].waiters.append(waiter)
  }

  fileprivate mutating func removeAll(
    in key: WaitTarget.Key, where condition: (Waiter) -> Bool
  ) -> [Waiter] {
    guard var group = groups.removeValue(forKey: key) else { return [] }
    let removed = group.waiters.filter(condition)
    group.waiters.removeAll(where: condition)
    if group.waiters.isEmpty {
      if case .settled(let account) = group.target { settledAccounts.removeAll { $0 === account } }
    } else {
      groups[key] = group
    }
    if groups.isEmpty { changedKeys = [] }
    return removed
  }

  /// Some work of a connection has ended.
  mutating func workEnded(of connected: Connected) {
    if groups.count == settledAccounts.count { return }
    workEnded(of: ObjectIdentifier(connected))
    connected.account.upwards { if let keeper = $0.keeper { workEnded(of: ObjectIdentifier(keeper)) } }
  }

  private mutating func workEnded(of connected: ObjectIdentifier) {
    changedKeys.insert(.finished(connected))
    changedKeys.insert(.idle(connected))
  }

  /// The targets that may have been reached since this was last called.
  ///
  /// - Parameter isAnyWork: whether `settled()` asks for more than how much work is counted.
  fileprivate mutating func takeChanged(isAnyWork: Bool) -> [WaitTarget.Key] {
    var keys = Array(changedKeys)
    if !changedKeys.isEmpty { changedKeys = [] }
    if isAnyWork { return Array(groups.keys) }
    // One may be the work inside which somebody waits.
    for account in settledAccounts where account.runs.counted <= 1 {
      keys.append(.settled(ObjectIdentifier(account)))
    }
    return keys
  }
}

extension Engine {
  /// Suspends until `target` is reached.
  ///
  /// - Parameters:
  ///   - isCancellable: whether the wait ends early when the task is cancelled.
  ///   - caller: what a report of a long wait calls it; `nil` if it may be long.
  /// - Returns: `false` if it was cancelled.
  @discardableResult
  func wait(until target: WaitTarget, isCancellable: Bool, for caller: StaticString?) async -> Bool {
    let token = WaitToken()
    #if DEBUG
    defer { token.end() }
    #endif
    if !isCancellable { return await wait(until: target, as: token, for: caller) }
    return await withTaskCancellationHandler {
      await wait(until: target, as: token, for: caller)
    } onCancel: {
      token.cancel()
      stopWaiting(as: token, for: target)
    }
  }

  private func wait(until target: WaitTarget, as token: WaitToken, for caller: StaticString?) async -> Bool {
    let waiter = { Waiter(id: ObjectIdentifier(token), host: CurrentWork.mark, continuation: $0) }
    return await withUnsafeContinuation { continuation in
      locked {
        if token.isCancelled {
          decided.deliver { continuation.resume(returning: false) }
          return
        }
        let waiter = waiter(continuation)
        // Watched before the look, so that nothing ends unseen between the look and the wait.
        waiters.add(waiter, for: target)
        due.waiters = true
        updates.withLock { _ in target.isAwaited(true) }
        resumeWaiters(in: [target.key])
        #if DEBUG
        if let caller, waiters.holds(token, for: target) { measure(token, for: target, of: caller) }
        #endif
      }
    }
  }

  /// Ends a wait that was cancelled, or whose time has passed.
  func stopWaiting(as token: WaitToken, for target: WaitTarget) {
    locked { resume(target, returning: false) { $0.id == ObjectIdentifier(token) } }
  }

  /// Resumes every waiter whose condition is satisfied, of those that may have changed since the last look.
  func resumeWaiters() {
    if !due.waiters { return }
    let changed = waiters.takeChanged(isAnyWork: counter != nil)
    if !changed.isEmpty { resumeWaiters(in: changed) }
  }

  private func resumeWaiters(in keys: [WaitTarget.Key]) {
    for key in keys {
      guard let group = waiters.groups[key] else { continue }
      let satisfied = updates.withLock { _ in self.satisfied(in: group) }
      if satisfied.isEmpty { continue }
      resume(group.target, returning: true) { satisfied.contains($0.id) }
    }
    due.waiters = !waiters.isEmpty
  }

  private func resume(_ target: WaitTarget, returning result: Bool, where condition: (Waiter) -> Bool) {
    for waiter in waiters.removeAll(in: target.key, where: condition) {
      decided.deliver { waiter.continuation.resume(returning: result) }
    }
    if waiters.groups[target.key] == nil { updates.withLock { _ in target.isAwaited(false) } }
  }

  // MARK: Conditions

  /// Whether nothing of the account is queued or under way.
  func isSettled(_ account: Account) -> Bool {
    let target = WaitTarget.settled(account)
    return locked { updates.withLock { _ in isReached(target) && outstandingWork(of: target) == 0 } }
  }

  /// The waiters of a group whose condition is satisfied. The lock of the displays must be held.
  private func satisfied(in group: Waiters.Group) -> Set<ObjectIdentifier> {
    guard isReached(group.target) else { return [] }
    let outstanding = outstandingWork(of: group.target)
    // Inside a run or an update one does not wait for that.
    let satisfied = group.waiters.filter { waiter in
      outstanding == 0 || outstanding == 1 && waiter.host.map { counts($0, in: group.target) } ?? false
    }
    return Set(satisfied.map(\.id))
  }

  /// Whether the target is reached, apart from work that is under way.
  private func isReached(_ target: WaitTarget) -> Bool {
    switch target {
    case .finished(let connected): connected.phase == .ended
    case .idle: true
    case .settled(let account):
      !due.displays && mail.withLock { _ in account.lastTicket <= turn.number }
    }
  }

  private func outstandingWork(of target: WaitTarget) -> Int {
    switch target {
    case .finished(let connected), .idle(let connected): connected.workUnderWay
    case .settled(let account) where counter != nil:
      workAtWork(in: account)
    case .settled(let account): (account.runs + account.updates).counted
    }
  }

  /// Whether the work is under way and one that the target asks for.
  private func counts(_ work: CurrentWork, in target: WaitTarget) -> Bool {
    guard work.isUnderWay else { return false }
    switch target {
    case .finished(let connected), .idle(let connected):
      return work.connected === connected || connected.inner.map(work.connected.account.isWithin) ?? false
    case .settled(let account): return work.isCounted && work.connected.account.isWithin(account)
    }
  }
}

/// Tells one wait from another, remembers that it was cancelled before it began, and keeps the task that measures it.
final class WaitToken: Sendable {
  private let state = Lock((isCancelled: false, measuring: Task<Void, Never>?.none))
  var isCancelled: Bool { state.withLock(\.isCancelled) }
  func cancel() { state.withLock { $0.isCancelled = true } }
  func measure(by task: Task<Void, Never>) { state.withLock { $0.measuring = task } }

  /// The wait is over: it is measured no longer.
  func end() {
    let task = state.withLock { state in
      defer { state.measuring = nil }
      return state.measuring
    }
    task?.cancel()
  }
}
