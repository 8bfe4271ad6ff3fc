import Millrace

extension Lock {
  /// Suspends the current task in one of the value's lists, until it is resumed from there or cancelled.
  ///
  /// `arrived` is called once, under the lock, with the task to be put into the list by its ticket. What it
  /// returns is resumed after the lock is left, and may include the task itself.
  ///
  /// Cancellation may come at any point:
  ///
  ///     this task                | the task that cancels it
  ///     entered: gets a ticket   |
  ///                              | cancelled: remembered as cancelled early
  ///     suspended: resumed as    |
  ///     cancelled                |
  ///
  /// - Parameter reason: names the wait of a run that only a test resumes; the store of the test settles without it.
  /// - Throws: `CancellationError` if the task is cancelled before it is resumed, also if it was before the call.
  nonisolated(nonsending) func wait<Key>(
    in list: any WritableKeyPath<Value, WaitList<Key, SuspendedTask>> & Sendable,
    for reason: String? = nil,
    arrived: (inout Value, WaitList<Key, SuspendedTask>.Ticket, SuspendedTask) -> [Resumption<SuspendedTask>]
  ) async throws(CancellationError) {
    let ticket = withLock { $0[keyPath: list].entered() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let wait = reason.flatMap { Wait(.byTest, for: $0) }
        withLock { arrived(&$0, ticket, SuspendedTask(continuation, wait: wait)) }.perform()
        wait?.begin()
      }
    } onCancel: {
      withLock { $0[keyPath: list].cancelled(ticket) }?.perform()
    }
    if outcome == .cancelled { throw CancellationError() }
  }

  /// Suspends the current task in one of the value's lists until it is resumed from there, cancelled or not.
  nonisolated(nonsending) func waitIgnoringCancellation<Key>(
    in list: any WritableKeyPath<Value, WaitList<Key, SuspendedTask>> & Sendable,
    for reason: String,
    arrived: (inout Value, WaitList<Key, SuspendedTask>.Ticket, SuspendedTask) -> [Resumption<SuspendedTask>]
  ) async {
    let ticket = withLock { $0[keyPath: list].entered() }
    _ = await withCheckedContinuation { continuation in
      let wait = Wait(.byTest, for: reason)
      withLock { arrived(&$0, ticket, SuspendedTask(continuation, wait: wait)) }.perform()
      wait?.begin()
    }
  }
}
