/// Stops one of several concurrent pieces of work.
struct StopSignal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(of: Void.self) }

  func stop() { continuation.finish() }

  /// Executes the work in a task that `stop` cancels, and returns once the work has ended.
  func outcome<Failure: Error>(
    _ work: @escaping @Sendable () async throws(Failure) -> Void
  ) async -> Result<Void, Failure> {
    await withTaskGroup(of: Result<Void, Failure>?.self) { group in
      group.addTask { await Result(work) }
      group.addTask {
        for await _ in stream {}
        return nil
      }
      var outcome = Result<Void, Failure>.success(())
      for await ended in group {
        if let ended { outcome = ended }
        group.cancelAll()
      }
      return outcome
    }
  }
}
