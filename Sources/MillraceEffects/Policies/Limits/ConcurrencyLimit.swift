import Millrace

/// A limit of how many pieces of work are in progress at once, with a declared order for those that wait.
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
  private let slots: Lock<SlotQueue<CheckedContinuation<Bool, Never>>>

  /// Makes a limit of `limit` pieces of work at once; less than 1 counts as 1. Waiting work is served in `order`.
  public init(_ limit: Int, order: SlotOrder = .firstInFirstOut) {
    count = max(1, limit)
    self.order = order
    slots = Lock(SlotQueue(free: count, order: order))
  }

  /// The number of tasks that wait for a slot.
  public var waiting: Int { slots.withLock { $0.waitingCount } }

  /// Calls `body` as soon as a slot is free, and returns its result.
  ///
  /// Do not nest calls on one limit: the inner call may wait for the outer one for ever. Costs O(log n) with n
  /// waiting tasks.
  ///
  /// - Parameter priority: of the waiting tasks, those with the highest priority go first; among equals the order of
  ///   the limit counts.
  /// - Returns: `nil` if the task was cancelled before `body` began; `body` is not called then.
  /// - Throws: the error of `body`.
  public func withSlot<Result, Failure: Error>(
    priority: Int = 0, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result? {
    guard await acquire(priority) else { return nil }
    defer { release() }
    return Task.isCancelled ? nil : try await body()
  }

  private func acquire(_ priority: Int) async -> Bool {
    let ticket = slots.withLock { $0.arrived(priority: priority) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let granted = slots.withLock { $0.suspended(ticket, continuation) }
        if let granted { continuation.resume(returning: granted) }
      }
    } onCancel: {
      slots.withLock { $0.cancelled(ticket) }?.resume(returning: false)
    }
  }

  private func release() {
    slots.withLock { $0.released() }?.resume(returning: true)
  }
}
