import Millrace

/// Keeps every value that is appended to it, in order, for a test to examine.
///
/// ```swift
/// let lines = Recorder<String>()
/// Task { lines.append("ready") }
/// #expect(try await lines.values(atLeast: 1) == ["ready"])
/// ```
///
/// Values of one task or thread keep their order. All members can be used from any thread. Values are never removed.
public final class Recorder<Value: Sendable>: Sendable {
  /// Invariant: each waiting task waits for more values than there are.
  private struct State {
    var values: [Value] = []
    var watching = WaitList<Int, SuspendedTask>()
  }

  private let state = Lock(State())  // all that changes

  /// Makes an empty recorder.
  public init() {}

  /// All values so far.
  public var values: [Value] { state.withLock { $0.values } }

  /// The number of values so far.
  public var count: Int { state.withLock { $0.values.count } }

  /// Appends a value, and resumes the tasks that waited for it.
  ///
  /// - Complexity: amortised O(1), as long as no array returned by ``values`` is kept.
  public func append(_ value: Value) {
    state.withLock { state in
      state.values.append(value)
      return state.watching.reached(count: state.values.count)
    }.perform()
  }

  /// Waits until there are at least `count` values, and returns the first `count`.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before that.
  /// - Precondition: `count` is not negative.
  @discardableResult
  public nonisolated(nonsending) func values(atLeast count: Int) async throws(CancellationError) -> [Value] {
    precondition(count >= 0, "there cannot be \(count) values")
    try await state.wait(in: \.watching) { state, ticket, task in
      state.watching.suspended(ticket, waiter: task, for: count, isReached: count <= state.values.count)
    }
    return Array(values.prefix(count))
  }
}
