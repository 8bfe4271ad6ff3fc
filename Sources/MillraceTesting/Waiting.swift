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
  /// - Parameter place: what the place is called if only a test resumes what waits there; a store whose run or update
  ///   waits there then settles without it.
  /// - Throws: `CancellationError` if the task is cancelled before it is resumed, also if it was before the call.
  nonisolated(nonsending) func wait<Key>(
    in list: any WritableKeyPath<Value, WaitList<Key, SuspendedTask>> & Sendable,
    parkedAt place: String? = nil,
    arrived: (inout Value, WaitList<Key, SuspendedTask>.Ticket, SuspendedTask) -> [Resumption<SuspendedTask>]
  ) async throws(CancellationError) {
    let ticket = withLock { $0[keyPath: list].entered() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let stay = place.flatMap { _ in Stay() }
        withLock { arrived(&$0, ticket, SuspendedTask(continuation, stay: stay)) }.perform()
        if let place { stay?.begin(at: place) }
      }
    } onCancel: {
      withLock { $0[keyPath: list].cancelled(ticket) }?.perform()
    }
    if outcome == .cancelled { throw CancellationError() }
  }

  /// Suspends the current task in one of the value's lists until it is resumed from there, cancelled or not.
  nonisolated(nonsending) func waitIgnoringCancellation<Key>(
    in list: any WritableKeyPath<Value, WaitList<Key, SuspendedTask>> & Sendable,
    parkedAt place: String,
    arrived: (inout Value, WaitList<Key, SuspendedTask>.Ticket, SuspendedTask) -> [Resumption<SuspendedTask>]
  ) async {
    let ticket = withLock { $0[keyPath: list].entered() }
    _ = await withCheckedContinuation { continuation in
      let stay = Stay()
      withLock { arrived(&$0, ticket, SuspendedTask(continuation, stay: stay)) }.perform()
      stay?.begin(at: place)
    }
  }
}
