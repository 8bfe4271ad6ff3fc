import Dispatch
import Millrace
import Testing

/// How long a test waits for what a defect would keep from happening. Nothing waits that long otherwise, also not where a
/// sanitizer has every task of the suite stand in line for minutes. Less than the least time limit of a test.
package let patience = Duration.seconds(500)

/// Awaits `work`, and fails the test at this line if that does not end.
///
/// For waits that a defect would make endless. `work` goes on in a task of its own when it is not awaited any more.
@discardableResult
package func inTime<Value: Sendable>(
  sourceLocation: SourceLocation = #_sourceLocation, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let race = Race<Value>()
  let task = Task { race.won(by: await outcome(of: work)) }
  let result = await race.outcome()
  if result == nil { task.cancel() }
  return try #require(result, "this has not ended in \(patience)", sourceLocation: sourceLocation).get()
}

/// Waits until a condition holds that nothing announces, and fails the test at this line if it never does.
package func eventually(
  sourceLocation: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation,
  _ condition: () throws -> Bool
) async throws {
  let start = ContinuousClock.now
  var looks = 0
  while try !condition() {
    try #require(
      start.duration(to: .now) < patience, "this has not come true in \(patience)",
      sourceLocation: sourceLocation)
    looks += 1
    // What takes long is looked at seldom: many that look without a pause hold up what they wait for.
    if looks < 100 { await Task.yield() } else { await pause() }
  }
}

private func pause() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) { continuation.resume() }
  }
}

private func outcome<Success: Sendable>(of work: () async throws -> Success) async -> Result<
  Success, any Error
> {
  do { return .success(try await work()) } catch { return .failure(error) }
}

/// Some work and its deadline: the first of the two resumes the task that waits.
private final class Race<Success: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Result<Success, any Error>?, Never>

  private struct State {
    var waiter: Waiter?
    /// What was first, if anything was: the outcome, or the deadline.
    var winner: Result<Success, any Error>??
  }

  private let state = Lock(State())

  func won(by outcome: Result<Success, any Error>?) {
    state.withLock { state in
      if state.winner == nil { state.winner = .some(outcome) }
      defer { state.waiter = nil }
      return state.waiter
    }?.resume(returning: outcome)
  }

  /// - Returns: the outcome of the work; `nil` if the deadline was first.
  func outcome() async -> Result<Success, any Error>? {
    await withCheckedContinuation { waiter in
      let winner = state.withLock { state in
        if state.winner == nil { state.waiter = waiter }
        return state.winner
      }
      if let winner { return waiter.resume(returning: winner) }
      let deadline = DispatchTime.now() + .seconds(Int(patience.components.seconds))
      // On a thread that computing tasks leave alone.
      DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: deadline) { self.won(by: nil) }
    }
  }
}
