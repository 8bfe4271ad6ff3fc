import Millrace

extension Lock {
  /// Suspends the current task in one of the value's lists, until it is resumed from there or cancelled.
  ///
  /// `arrived` is called once, under the lock, with the task and the ticket by which to put it into the list. The
  /// resumptions that it returns are performed after the lock is released, and may include the task itself.
  ///
  /// Cancellation may happen at any point:
  ///
  ///     this task                | the task that cancels it
  ///     entered: gets a ticket   |
  ///                              | cancelled: remembered as cancelled early
  ///     suspended: resumed as    |
  ///     cancelled                |
  ///
  /// - Parameter reason: names a run's wait that only the test ends; the test's store settles without it.
  /// - Throws: `CancellationError` if the task is cancelled before it is resumed, or was cancelled before the call,
  ///   unless `ignoringCancellation`.
  nonisolated(nonsending) func wait<Key>(
    in list: any WritableKeyPath<Value, WaitList<Key, SuspendedTask>> & Sendable,
    for reason: String? = nil, ignoringCancellation: Bool = false,
    arrived: (inout Value, WaitList<Key, SuspendedTask>.Ticket, SuspendedTask) -> [Resumption<SuspendedTask>]
  ) async throws(CancellationError) {
    let ticket = withLock { $0[keyPath: list].entered() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let wait = reason.flatMap { Wait(.byTest, for: $0) }
        let resumed = withLock { arrived(&$0, ticket, SuspendedTask(continuation: continuation, wait: wait)) }
        // First, so that a test that waits for this arrival finds the reason recorded. A wait that is over at once would
        // let a store settle before its task goes on.
        if !resumed.contains(where: { $0.waiter.wait === wait }) { wait?.begin() }
        resumed.perform()
      }
    } onCancel: {
      if !ignoringCancellation { withLock { $0[keyPath: list].cancelled(ticket) }?.perform() }
    }
    if outcome == .cancelled { throw CancellationError() }
  }
}
