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
          if isSatisfied(waiter, among: madeTables?.waiters ?? []) {
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
    let waiters = tables.waiters
    // Looked at once each: what holds at one look may not at the next, since anybody may send meanwhile.
    tables.waiters.removeAll { waiter in
      guard isSatisfied(waiter, among: waiters) else { return false }
      outcome.deliver { waiter.continuation.resume(returning: true) }
      return true
    }
  }

  private func isSatisfied(_ waiter: Waiter, among waiters: [Waiter]) -> Bool {
    let stuck = waiter.excluded.map { workWaiting(for: $0, among: waiters) } ?? []
    switch waiter.condition {
    case .finished(let place):
      guard let attachment = place.attachment else { return true }
      return place.phase == .ended && attachment.work.allSatisfy { work in stuck.contains { $0 === work } }
    case .settled(let scope):
      let excluded = stuck.count { $0.isCounted && $0.scope.isWithin(scope) }
      guard !progress.pointee.areDisplaysDue, scope.busy == excluded else { return false }
      return mail.withLock { mail in
        scope.accepted == scope.processed
          && (scope.parent != nil || mail.tickets == progress.pointee.turnsMade)
      }
    }
  }

  /// What cannot end before `work` has: that, and all from within which somebody waits for it, directly or by way of
  /// others. Whoever waits within `work` does not wait for these.
  private func workWaiting(
    for work: any CountedWork, among waiters: [Waiter]
  ) -> [any CountedWork] {
    var found = [work]
    var seen = 0
    while seen < found.count {
      seen = found.count
      for waiter in waiters where waits(waiter, for: found) {
        guard let waiting = waiter.excluded, !found.contains(where: { $0 === waiting }) else { continue }
        found.append(waiting)
      }
    }
    return found
  }

  /// Whether the waiter waits for some of the work, whatever else it waits for.
  private func waits(_ waiter: Waiter, for work: [any CountedWork]) -> Bool {
    switch waiter.condition {
    case .finished(let place):
      place.attachment?.work.contains { own in work.contains { $0 === own } } ?? false
    case .settled(let scope):
      work.contains { $0.isCounted && $0.scope.isWithin(scope) }
    }
  }
}
