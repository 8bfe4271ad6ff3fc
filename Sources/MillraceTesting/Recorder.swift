import Millrace

/// Keeps every value that it is given, in order, for a test to look at.
///
/// ```swift
/// let lines = Recorder<String>()
/// Task { lines.append("ready") }
/// #expect(try await lines.values(count: 1) == ["ready"])
/// ```
///
/// Values of one task or thread keep their order. All members can be used from any thread. Nothing is ever
/// removed.
public final class Recorder<Value: Sendable>: Sendable {
  /// Invariant: whoever waits, waits for more values than there are.
  private struct State {
    var values: [Value] = []
    var watching = WaitList<Int, SuspendedTask>()
  }

  private let state = Lock(State())  // all that changes

  /// Makes a recorder that has no values yet.
  public init() {}

  /// All values so far.
  public var values: [Value] { state.withLock { $0.values } }

  /// How many values there are so far.
  public var count: Int { state.withLock { $0.values.count } }

  /// Adds a value after all others, and resumes those who have waited for it.
  ///
  /// - Complexity: Amortized constant, while nobody holds what ``values`` has returned.
  public func append(_ value: Value) {
    state.withLock { state in
      state.values.append(value)
      return state.watching.reached(count: state.values.count)
    }.perform()
  }

  /// Returns the first `count` values as soon as there are so many, at once if there are already.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before that.
  /// - Precondition: `count` is not negative.
  @discardableResult
  public nonisolated(nonsending) func values(count: Int) async throws(CancellationError) -> [Value] {
    precondition(count >= 0, "there cannot be \(count) values")
    try await state.wait(in: \.watching) { state, ticket, task in
      let isReached = count <= state.values.count
      let resumption = state.watching.suspended(ticket, waiter: task, for: count, isReached: isReached)
      return resumption.map { [$0] } ?? []
    }
    return Array(values.prefix(count))
  }
}
