import Millrace

/// A limit for the number of concurrent pieces of work, with a declared order for those that wait.
///
/// Several effects may share one limit:
///
/// ```swift
/// let uplink = ConcurrencyLimit(4)
/// store.connect(uploads.limited(by: uplink), to: \.uploads, action: AppAction.upload)
/// store.connect(downloads.limited(by: uplink), to: \.downloads, action: AppAction.download)
/// ```
public final class ConcurrencyLimit: Sendable {
  let count: Int
  let order: SlotOrder
  /// The reason that is shown for waiting runs.
  package let reason: String
  /// The slots. A waiter is called with whether it got one, with no lock held.
  private let slots: Lock<SlotQueue<@Sendable (_ isGranted: Bool) -> Void>>

  /// Makes a limit of `limit` pieces of work at once; less than 1 counts as 1. Waiting work is served in `order`.
  public convenience init(_ limit: Int, order: SlotOrder = .firstInFirstOut) {
    self.init(limit, order: order, waitsFor: "a slot of \(max(1, limit))")
  }

  package init(_ limit: Int, order: SlotOrder = .firstInFirstOut, waitsFor reason: String) {
    count = max(1, limit)
    self.order = order
    self.reason = reason
    slots = Lock(SlotQueue(free: count, order: order))
  }

  /// The number of tasks that wait for a slot.
  public var waiting: Int { slots.withLock { $0.waitingCount } }

  /// Calls `body` as soon as a slot is free, and returns its result.
  ///
  /// Do not nest calls on one limit: the inner call may wait for the outer one for ever. Costs O(log n) with n
  /// waiting tasks, or O(log² n) if their priorities differ.
  ///
  /// - Parameter priority: the priority of this task. Waiting tasks with the highest priority go first; among equals
  ///   the order of the limit counts.
  /// - Returns: the result of `body`; `nil` if the task was cancelled before `body` began, which is then not called.
  /// - Throws: the error of `body`.
  public func withSlot<Result, Failure: Error>(
    priority: Int = 0, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result? {
    guard await acquire(priority) else { return nil }
    defer { release() }
    return Task.isCancelled ? nil : try await body()
  }

  /// The reason with the current place in line.
  private func reason(of ticket: UInt64) -> String {
    guard let before = slots.withLock({ $0.countBefore(ticket) }) else { return reason }
    let place = before < 3 ? ["first", "second", "third"][before] : "number \(before + 1)"
    return "\(reason), \(place) in line"
  }

  private func acquire(_ priority: Int) async -> Bool {
    guard let ticket = slots.withLock({ $0.takesFree() ? nil : $0.arrived(priority: priority) }) else {
      return true
    }
    return await withWaitReason(self.reason(of: ticket), queued: true) {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let granted = slots.withLock { $0.suspended(ticket) { continuation.resume(returning: $0) } }
          if let granted { continuation.resume(returning: granted) }
        }
      } onCancel: {
        slots.withLock { $0.cancelled(ticket) }?(false)
      }
    }
  }

  private func release() {
    slots.withLock { $0.released() }?(true)
  }
}

/// Gives slots to runs that a test answers, which have no task.
extension ConcurrencyLimit: LineOfRuns {
  package func enter(priority: Int, whenFree begin: @escaping @Sendable () -> Void) -> UInt64? {
    let (ticket, granted) = slots.withLock { slots in
      let ticket = slots.arrived(priority: priority)
      return (ticket, slots.suspended(ticket) { if $0 { begin() } })
    }
    return granted == nil ? ticket : nil
  }

  package func leave(_ ticket: UInt64) { _ = slots.withLock { $0.cancelled(ticket) } }

  package func giveBack() { release() }
}
