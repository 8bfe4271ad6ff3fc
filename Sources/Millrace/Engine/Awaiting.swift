/// A task that waits until a ``AwaitTarget`` is reached.
struct Awaiter {
  let id: ObjectIdentifier
  /// The run or the update inside which it waits, and which it does not wait for.
  let host: CurrentWork?
  let continuation: UnsafeContinuation<Bool, Never>
}

/// The aim of a wait.
enum AwaitTarget {
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

/// The awaiters, in groups with one target each, since one look serves the whole group. Guarded by the turn lock.
struct Awaiters {
  struct Group {
    let target: AwaitTarget
    var awaiters: [Awaiter]
  }

  fileprivate var groups: [AwaitTarget.Key: Group] = [:]
  /// The targets of the kind `settled`.
  private var settledAccounts: [Account] = []
  /// The other targets of which some work has ended since they were last looked at.
  private var changedKeys: Set<AwaitTarget.Key> = []

  var isEmpty: Bool { groups.isEmpty }

  /// Whether the wait goes on. The newest of its group is found at once.
  func holds(_ token: AwaitToken, for target: AwaitTarget) -> Bool {
    groups[target.key]?.awaiters.last { $0.id == ObjectIdentifier(token) } != nil
  }

  var count: Int { groups.values.reduce(0) { $0 + $1.awaiters.count } }

  fileprivate mutating func add(_ awaiter: Awaiter, for target: AwaitTarget) {
    if groups[target.key] == nil, case .settled(let account) = target { settledAccounts.append(account) }
    groups[target.key, default: Group(target: target, awaiters: [])].awaiters.append(awaiter)
  }

  fileprivate mutating func removeAll(
    in key: AwaitTarget.Key, where condition: (Awaiter) -> Bool
  ) -> [Awaiter] {
    guard var group = groups.removeValue(forKey: key) else { return [] }
    let removed = group.awaiters.filter(condition)
    group.awaiters.removeAll(where: condition)
    if group.awaiters.isEmpty {
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
  fileprivate mutating func takeChanged(isAnyWork: Bool) -> [AwaitTarget.Key] {
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
  func wait(until target: AwaitTarget, isCancellable: Bool, for caller: StaticString?) async -> Bool {
    let token = AwaitToken()
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

  private func wait(until target: AwaitTarget, as token: AwaitToken, for caller: StaticString?) async -> Bool
  {
    let awaiter = { Awaiter(id: ObjectIdentifier(token), host: CurrentWork.mark, continuation: $0) }
    return await withUnsafeContinuation { continuation in
      locked {
        if token.isCancelled {
          decided.deliver { continuation.resume(returning: false) }
          return
        }
        let awaiter = awaiter(continuation)
        // Watched before the look, so that nothing ends unseen between the look and the wait.
        awaiters.add(awaiter, for: target)
        due.awaiters = true
        updates.withLock { _ in target.isAwaited(true) }
        resumeAwaiters(in: [target.key])
        #if DEBUG
        if let caller, awaiters.holds(token, for: target) { measure(token, for: target, of: caller) }
        #endif
      }
    }
  }

  /// Ends a wait that was cancelled, or whose time has passed.
  func stopWaiting(as token: AwaitToken, for target: AwaitTarget) {
    locked { resume(target, returning: false) { $0.id == ObjectIdentifier(token) } }
  }

  /// Resumes every awaiter whose condition is satisfied, of those that may have changed since the last look.
  func resumeAwaiters() {
    if !due.awaiters { return }
    let changed = awaiters.takeChanged(isAnyWork: counter != nil)
    if !changed.isEmpty { resumeAwaiters(in: changed) }
  }

  private func resumeAwaiters(in keys: [AwaitTarget.Key]) {
    for key in keys {
      guard let group = awaiters.groups[key] else { continue }
      let satisfied = updates.withLock { _ in self.satisfied(in: group) }
      if satisfied.isEmpty { continue }
      resume(group.target, returning: true) { satisfied.contains($0.id) }
    }
    due.awaiters = !awaiters.isEmpty
  }

  private func resume(_ target: AwaitTarget, returning result: Bool, where condition: (Awaiter) -> Bool) {
    for awaiter in awaiters.removeAll(in: target.key, where: condition) {
      decided.deliver { awaiter.continuation.resume(returning: result) }
    }
    if awaiters.groups[target.key] == nil { updates.withLock { _ in target.isAwaited(false) } }
  }

  /// Calls `body`, and cancels it when the time has passed.
  func limit(
    to time: Duration?, _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async -> Void
  ) async {
    // A clock cannot count to every duration.
    guard let time, time < .seconds(100 * 365 * 86_400) else { return await body() }
    if time <= .zero { return }
    await withTaskGroup { group in
      group.addTask { await body() }
      group.addTask { try? await clock.sleep(for: time) }
      await group.next()
      group.cancelAll()
    }
  }

  // MARK: Conditions

  /// Whether nothing of the account is queued or under way.
  func isSettled(_ account: Account) -> Bool {
    let target = AwaitTarget.settled(account)
    return locked { updates.withLock { _ in isReached(target) && outstandingWork(of: target) == 0 } }
  }

  /// The awaiters of a group whose condition is satisfied. The lock of the displays must be held.
  private func satisfied(in group: Awaiters.Group) -> Set<ObjectIdentifier> {
    guard isReached(group.target) else { return [] }
    let outstanding = outstandingWork(of: group.target)
    // Inside a run or an update one does not wait for that.
    let satisfied = group.awaiters.filter { awaiter in
      outstanding == 0 || outstanding == 1 && awaiter.host.map { counts($0, in: group.target) } ?? false
    }
    return Set(satisfied.map(\.id))
  }

  /// Whether the target is reached, apart from work that is under way.
  private func isReached(_ target: AwaitTarget) -> Bool {
    switch target {
    case .finished(let connected): connected.phase == .ended
    case .idle: true
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

  /// Whether the work is under way and one that the target asks for.
  private func counts(_ work: CurrentWork, in target: AwaitTarget) -> Bool {
    // Whose it is comes first: the locks that are held guard no work of another store.
    switch target {
    case .finished(let connected), .idle(let connected):
      let isInside = connected.inner.map(work.connected.account.isWithin) ?? false
      return (isInside || work.connected === connected) && work.isUnderWay
    case .settled(let account):
      return work.connected.account.isWithin(account) && work.isUnderWay && work.isCounted
    }
  }
}

/// Tells one wait from another, remembers that it was cancelled before it began, and keeps the task that measures it.
final class AwaitToken: Sendable {
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
