import Millrace

extension PolicyEffect {
  /// Runs the wrapped effect on the values that `passOn` passes to its argument. The first one begins the run, and the
  /// others are handed over.
  ///
  /// Ends when the wrapped effect has returned, or when `passOn` has returned without beginning it. Returns the newest
  /// value to `requests` if the wrapped effect has not taken it.
  ///
  /// - Parameter requests: the values that `passOn` takes; `nil` if it drops some.
  func runBase(
    of requests: RequestUpdates<Base.Request>?, send: Send<Base.Action>,
    onValues passOn: @escaping @Sendable (@Sendable (Base.Request) -> Void) async -> Void
  ) async throws(Base.Failure) {
    let (passed, continuation) = AsyncStream.makeStream(
      of: Base.Request.self, bufferingPolicy: .bufferingNewest(1))
    let (outcome, updates) = await withTaskGroup(of: Result<Void, Base.Failure>?.self) { group in
      group.addTask {
        await passOn { continuation.yield($0) }
        continuation.finish()
        return nil
      }
      var updates: RequestUpdates<Base.Request>?
      for await request in passed {
        if let updates {
          updates.offer(request)
        } else {
          let begun = RequestUpdates(request)
          updates = begun
          group.addTask {
            defer { continuation.finish() }
            return await Result { () async throws(Base.Failure) in
              try await workBeside { () async throws(Base.Failure) in
                try await runBase(begun, send: send)
              }
            }
          }
        }
      }
      updates?.finish()
      var outcome = Result<Void, Base.Failure>.success(())
      if updates != nil {
        for await case let ended? in group {
          outcome = ended
          break
        }
      }
      group.cancelAll()
      return (outcome, updates)
    }
    if let updates { requests?.giveBack(unlessTakenFrom: updates) }
    try outcome.get()
  }
}
