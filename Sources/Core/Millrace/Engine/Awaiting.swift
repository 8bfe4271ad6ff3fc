/// The aim of a wait.
enum AwaitTarget: Hashable {
  /// Nothing of the account is queued or under way.
  case settled(Account)
  /// The connection has ended, and so has all work of it and of what was connected through its parts.
  case finished(Connected)
  /// No work of the connection, which may go on, is under way.
  case idle(Connected)

  /// Whether the ends of its updates are told. The lock of the displays must be held.
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
final class Awaiter: @unchecked Sendable {  // what varies is guarded by the turn lock
  let target: AwaitTarget
  /// The run or the update inside which it waits, and which it does not wait for.
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
  /// By target, since one look serves all of one.
  fileprivate private(set) var all: [AwaitTarget: [Awaiter]] = [:]
  /// The accounts among the targets.
  private var accounts: [Account] = []
  /// The other targets of which some work has ended since they were last looked at.
  private var changed: Set<AwaitTarget> = []

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.values.reduce(0) { $0 + $1.count } }

  fileprivate mutating func add(_ awaiter: Awaiter) {
    if all[awaiter.target] == nil, case .settled(let account) = awaiter.target { accounts.append(account) }
    all[awaiter.target, default: []].append(awaiter)
  }

  /// Removes those of a target that have been resumed.
  ///
  /// - Returns: whether none is left.
  fileprivate mutating func removeResumed(of target: AwaitTarget) -> Bool {
    all[target]?.removeAll { $0.continuation == nil }
    if all[target]?.isEmpty == false { return false }
    all[target] = nil
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

  /// The targets that may have been reached since this was last called.
  ///
  /// - Parameter isAnyWork: whether `settled()` asks for more than how much work is counted.
  fileprivate mutating func takeChanged(isAnyWork: Bool) -> [AwaitTarget] {
    var targets = Array(changed)
    if !changed.isEmpty { changed = [] }
    if isAnyWork { return Array(all.keys) }
    // One may be the work inside which somebody waits.
    for account in accounts where account.runs.counted <= 1 { targets.append(.settled(account)) }
    return targets
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
    let awaiter = Awaiter(target)
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
        // Watched before the look, so that nothing ends unseen between the look and the wait.
        awaiters.add(awaiter)
        due.awaiters = true
        updates.withLock { _ in awaiter.target.isAwaited(true) }
        resumeAwaiters(of: [awaiter.target])
        #if DEBUG
        if let caller, awaiter.continuation != nil { measure(awaiter, of: caller) }
        #endif
      }
    }
  }

  /// Resumes every awaiter whose condition is satisfied, of those that may have changed since the last look.
  func resumeAwaiters() {
    if !due.awaiters { return }
    let changed = awaiters.takeChanged(isAnyWork: counter != nil)
    if !changed.isEmpty { resumeAwaiters(of: changed) }
  }

  private func resumeAwaiters(of targets: [AwaitTarget]) {
    for target in targets {
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

  /// Calls `body`, and cancels it when the time has passed, without waiting for its end.
  func limit(
    to time: Duration?, _ clock: any Clock<Duration>, _ body: @escaping @Sendable () async -> Void
  ) async {
    // A clock cannot count to every duration.
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

  /// Whether nothing of the account is queued or under way.
  func isSettled(_ account: Account) -> Bool {
    let target = AwaitTarget.settled(account)
    return locked { updates.withLock { _ in isReached(target) && outstandingWork(of: target) == 0 } }
  }

  /// Those of the awaiters of one target whose condition is satisfied. The lock of the displays must be held.
  private func satisfied(_ waiting: [Awaiter], _ target: AwaitTarget) -> [Awaiter] {
    guard isReached(target) else { return [] }
    let outstanding = outstandingWork(of: target)
    // Inside a run or an update one does not wait for that.
    return waiting.filter { awaiter in
      outstanding == 0 || outstanding == 1 && awaiter.host.map { counts($0, in: target) } ?? false
    }
  }

  /// Whether the target is reached, apart from work that is under way.
  private func isReached(_ target: AwaitTarget) -> Bool {
    switch target {
    case .finished(let connected): connected.phase == .ended || connected.hasLast
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
