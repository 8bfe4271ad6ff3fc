/// What a wait waits for.
enum AwaitTarget {
  /// Nothing of the account is queued or in progress.
  case settled(Account)
  /// The connection, its work, and everything connected through its parts has ended.
  case finished(Connected)
  /// No work of the connection is in progress. The connection may continue.
  case idle(Connected)

  var place: Awaiters.Place {
    switch self {
    case .settled(let account): .account(account)
    case .finished(let connected), .idle(let connected): .connection(connected.id)
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
  var isCancelled = false
  /// Reports the wait if it is long.
  var measuring: Task<Void, Never>?

  init(_ target: AwaitTarget) { self.target = target }
}

/// The awaiters. Guarded by the turn lock.
struct Awaiters {
  /// An account or the number of a connection. All of one place are checked at once.
  enum Place {
    case account(Account)
    case connection(UInt64)
  }

  /// The tasks that wait until an account has settled.
  struct OfAccount {
    let account: Account
    var waiting: [Awaiter]
  }

  /// A list, since a hash table costs more than all else of a wait. It is searched once for each wait.
  private(set) var ofAccounts: [OfAccount] = []
  private(set) var ofConnections: [UInt64: [Awaiter]] = [:]
  /// The numbers of awaited connections with work that has ended since the last check.
  private var changed: Set<UInt64> = []

  var isEmpty: Bool { ofAccounts.isEmpty && ofConnections.isEmpty }
  var count: Int {
    ofAccounts.reduce(0) { $0 + $1.waiting.count } + ofConnections.values.reduce(0) { $0 + $1.count }
  }

  subscript(place: Place) -> [Awaiter] {
    switch place {
    case .account(let account): ofAccounts.first { $0.account === account }?.waiting ?? []
    case .connection(let number): ofConnections[number] ?? []
    }
  }

  /// Adds `awaiter`. Marks its connection changed.
  mutating func add(_ awaiter: Awaiter) {
    switch awaiter.target.place {
    case .account(let account):
      if let index = ofAccounts.firstIndex(where: { $0.account === account }) {
        ofAccounts[index].waiting.append(awaiter)
      } else {
        ofAccounts.append(OfAccount(account: account, waiting: [awaiter]))
      }
    case .connection(let number):
      ofConnections[number, default: []].append(awaiter)
      changed.insert(number)
    }
  }

  /// Replaces the awaiters of a place.
  mutating func put(_ waiting: [Awaiter], at place: Place) {
    switch place {
    case .account(let account):
      guard let index = ofAccounts.firstIndex(where: { $0.account === account }) else { return }
      if waiting.isEmpty { ofAccounts.remove(at: index) } else { ofAccounts[index].waiting = waiting }
    case .connection(let number):
      ofConnections[number] = waiting.isEmpty ? nil : waiting
      if ofConnections.isEmpty, !changed.isEmpty { changed = [] }
    }
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
