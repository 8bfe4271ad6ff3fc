/// How a task of a test ended.
enum Outcome: Hashable {
  case done
  case cancelled
  case failed
}

/// Runs `body` and tells how it ended.
nonisolated(nonsending) func outcome(of body: () async throws -> Void) async -> Outcome {
  do {
    try await body()
    return .done
  } catch is CancellationError {
    return .cancelled
  } catch {
    return .failed
  }
}

/// A task that runs `body` after it has been cancelled, never before.
func cancelledTask(_ body: @escaping @Sendable () async throws -> Void) -> Task<Outcome, Never> {
  Task {
    withUnsafeCurrentTask { $0?.cancel() }
    return await outcome(of: body)
  }
}
