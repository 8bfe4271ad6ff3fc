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
          if isSatisfied(waiter, insiders + [excluded].compactMap(\.self)) {
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
    let insiders = insiders
    // Looked at once each: what holds at one look may not at the next, since anybody may send meanwhile.
    tables.waiters.removeAll { waiter in
      guard isSatisfied(waiter, insiders) else { return false }
      outcome.deliver { waiter.continuation.resume(returning: true) }
      return true
    }
  }

  /// The work from within which somebody waits until all is settled: those do not wait for each other.
  private var insiders: [any CountedWork] {
    guard let waiters = madeTables?.waiters else { return [] }
    return waiters.compactMap { waiter in
      if case .settled = waiter.condition { return waiter.excluded }
      return nil
    }
  }

  private func isSatisfied(_ waiter: Waiter, _ insiders: [any CountedWork]) -> Bool {
    switch waiter.condition {
    case .finished(let place):
      guard let attachment = place.attachment else { return true }
      return place.phase == .ended && attachment.isQuiet(but: waiter.excluded)
    case .settled(let scope):
      let excluded = waiter.excluded == nil ? 0 : countedWork(of: insiders, in: scope)
      guard !progress.pointee.areDisplaysDue, scope.busy == excluded else { return false }
      return mail.withLock { mail in
        scope.accepted == scope.processed
          && (scope.parent != nil || mail.tickets == progress.pointee.turnsMade)
      }
    }
  }

  /// How many of them, each once, are counted as busy in `scope`.
  private func countedWork(of work: [any CountedWork], in scope: Scope) -> Int {
    var counted: Set<ObjectIdentifier> = []
    for work in work where work.isCounted && work.scope.isWithin(scope) {
      counted.insert(ObjectIdentifier(work))
    }
    return counted.count
  }
}
