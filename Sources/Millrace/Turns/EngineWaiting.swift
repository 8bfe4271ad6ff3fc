/// Someone who waits for the engine to come to a certain point.
struct Waiter {
  enum Condition {
    /// Nothing of the scope is queued or under way.
    case settled(Scope)
    /// The connection has ended and so has all its work.
    case finished(Place)
  }

  let condition: Condition
  /// The work from within which is waited, and which is not waited for.
  let excluded: (any CountedWork)?
  let id: WaiterID
  let continuation: UnsafeContinuation<Bool, Never>
}

/// Tells one waiter from another.
final class WaiterID: Sendable {}

extension Engine {
  /// Waits until `condition` holds.
  ///
  /// - Returns: `false` if the task was cancelled before.
  @discardableResult
  func wait(until condition: Waiter.Condition) async -> Bool {
    let id = WaiterID()
    let excluded = CurrentWork.work
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let waiter = Waiter(condition: condition, excluded: excluded, id: id, continuation: continuation)
        locked { outcome in
          if isSatisfied(waiter) {
            outcome.deliver { continuation.resume(returning: true) }
          } else if Task.isCancelled {
            outcome.deliver { continuation.resume(returning: false) }
          } else {
            tables.waiters.append(waiter)
          }
        }
      }
    } onCancel: {
      locked { outcome in
        guard let index = tables.waiters.firstIndex(where: { $0.id === id }) else { return }
        let waiter = tables.waiters.remove(at: index)
        outcome.deliver { waiter.continuation.resume(returning: false) }
      }
    }
  }

  /// Lets go whose condition has come to hold.
  func checkWaiters() {
    guard let tables = madeTables, !tables.waiters.isEmpty else { return }
    // Looked at once each: what holds at one look may not at the next, since anybody may send meanwhile.
    tables.waiters.removeAll { waiter in
      guard isSatisfied(waiter) else { return false }
      outcome.deliver { waiter.continuation.resume(returning: true) }
      return true
    }
  }

  private func isSatisfied(_ waiter: Waiter) -> Bool {
    switch waiter.condition {
    case .finished(let place):
      guard let attachment = place.attachment else { return true }
      return place.phase == .ended && attachment.isQuiet(but: waiter.excluded)
    case .settled(let scope):
      let isOwnCounted = waiter.excluded.map { $0.isCounted && $0.scope.isWithin(scope) } ?? false
      guard !progress.pointee.areDisplaysDue, scope.busy == (isOwnCounted ? 1 : 0) else { return false }
      return mail.withLock { mail in
        scope.accepted == scope.processed
          && (scope !== self.scope || mail.tickets == progress.pointee.turnsMade)
      }
    }
  }
}
