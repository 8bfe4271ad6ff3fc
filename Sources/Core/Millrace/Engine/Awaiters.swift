/// What a wait waits for.
enum AwaitTarget {
  /// Nothing of the account is queued or in progress.
  case settled(Account)
  /// The connection, its work, and everything connected through its parts has ended.
  case finished(Connected)
  /// No work of the connection is in progress. The connection may continue.
  case idle(Connected)

  /// The connection that it waits for, if it does not wait for an account.
  var connected: Connected? {
    switch self {
    case .settled: nil
    case .finished(let connected), .idle(let connected): connected
    }
  }

  /// Sets whether the ends of its updates are reported to the awaiters. The lock of the displays must be held.
  func isAwaited(_ isAwaited: Bool) {
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
  let host = CurrentWork.mark
  /// Resumed with whether the target was reached. `nil` unless the task waits.
  var continuation: UnsafeContinuation<Bool, Never>?
  /// Reports the wait if it is long.
  var measuring: Task<Void, Never>?

  init(_ target: AwaitTarget) { self.target = target }
}

/// The awaiters. Guarded by the turn lock.
struct Awaiters {
  /// Those that wait until an account has settled. A list, since a hash table costs more than all else of a wait.
  private(set) var settling: [Awaiter] = []
  /// The others, by the number of the connection. All of one connection are checked at once.
  private(set) var ofConnections: [UInt64: [Awaiter]] = [:]
  /// The numbers of awaited connections with work that has ended since the last check.
  private var changed: Set<UInt64> = []

  var isEmpty: Bool { settling.isEmpty && ofConnections.isEmpty }
  var count: Int { settling.count + ofConnections.values.joined().count }

  mutating func add(_ awaiter: Awaiter) {
    guard let number = awaiter.target.connected?.id else { return settling.append(awaiter) }
    ofConnections[number, default: []].append(awaiter)
    changed.insert(number)
  }

  /// Removes the resumed awaiters of accounts, or those of one connection.
  ///
  /// - Returns: those that are left of them.
  mutating func removeResumed(of target: AwaitTarget) -> [Awaiter] {
    guard let number = target.connected?.id else {
      settling.removeAll { $0.continuation == nil }
      return settling
    }
    let left = ofConnections[number]?.filter { $0.continuation != nil } ?? []
    ofConnections[number] = left.isEmpty ? nil : left
    return left
  }

  /// Some work of a connection has ended.
  mutating func workEnded(of connected: Connected) {
    if ofConnections.isEmpty { return }
    if ofConnections[connected.id] != nil { changed.insert(connected.id) }
    connected.account.upwards {
      if let keeper = $0.keeper, ofConnections[keeper.id] != nil { changed.insert(keeper.id) }
    }
  }

  /// Moves out the numbers of the awaited connections with work that has ended since the last call.
  mutating func takeChanged() -> Set<UInt64> {
    if changed.isEmpty { return [] }
    defer { changed = [] }
    return changed
  }
}
