import Millrace

/// At most so many at once, in a declared order.
///
/// One limit may be shared by several effects:
///
/// ```swift
/// let uplink = ConcurrencyLimit(4)
/// store.connect(uploads.limited(by: uplink), to: \.uploads, action: AppAction.upload)
/// store.connect(downloads.limited(by: uplink), to: \.downloads, action: AppAction.download)
/// ```
public final class ConcurrencyLimit: Sendable {
  private let slots: Lock<SlotQueue<CheckedContinuation<Bool, Never>>>

  /// Lets `limit` run at once; less than 1 counts as 1. Those who wait are served in `order`.
  public init(_ limit: Int, order: SlotOrder = .firstInFirstOut) {
    slots = Lock(SlotQueue(free: max(1, limit), order: order))
  }

  /// How many wait for a slot.
  public var waiting: Int { slots.withLock { $0.waitingCount } }

  /// Calls `body` as soon as fewer than the limit run, and returns what it returns.
  ///
  /// Do not nest calls on one limit: the inner may wait for the outer. Costs O(log n) for n who wait.
  ///
  /// - Parameter priority: Of those who wait, the ones with the highest go first; among equals the order of the limit
  ///   counts.
  /// - Returns: `nil` if the task was cancelled before `body` began; it is not called then.
  /// - Throws: what `body` throws.
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
