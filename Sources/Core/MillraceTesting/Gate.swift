import Millrace

/// A gate at which a test suspends code under test until the test lets it continue.
///
/// Put it where the outside world would be slow. The test then decides what happens first:
///
/// ```swift
/// let gate = Gate()
/// let loading = Task {
///   try await gate.wait()
///   return "page"
/// }
/// try await gate.waiters(atLeast: 1)  // the load has begun, and goes no further
/// gate.open()
/// #expect(try await loading.value == "page")
/// ```
///
/// Waiting tasks are resumed in order of arrival; which of them runs first is not promised. All members can be used
/// from any thread. Each costs time in proportion to the number of waiting tasks.
public final class Gate: Sendable {
  let state: Lock<GateState<SuspendedTask>>  // all that changes

  /// Makes a gate, closed by default.
  public init(isOpen: Bool = false) {
    state = Lock(GateState(isOpen: isOpen))
  }

  /// Whether every task passes without waiting.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// The number of tasks that wait at the gate.
  public var waiterCount: Int { state.withLock { $0.waiting.count } }

  /// Opens the gate: all waiting tasks pass, and so do later ones until the gate is closed.
  public func open() {
    state.withLock { $0.opened() }.perform()
  }

  /// Closes the gate for tasks that arrive later. Unused passes of ``pass(_:)`` are withdrawn.
  public func close() {
    state.withLock { $0.closed() }
  }

  /// Lets `count` tasks pass and leaves the gate closed. The tasks that have waited longest pass first; if fewer wait,
  /// the next ones to arrive pass. Does nothing while the gate is open.
  ///
  /// - Precondition: `count` is not negative.
  public func pass(_ count: Int = 1) {
    precondition(count >= 0, "a gate cannot let \(count) through")
    state.withLock { $0.passGranted(to: count) }.perform()
  }

  /// Suspends the current task until the gate lets it pass.
  ///
  /// A task that is cancelled while it waits uses up no pass. After the gate has let a task pass, a cancellation has
  /// no effect on this call.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled while it waits. Also if it was cancelled before the
  ///   call, even at an open gate.
  public nonisolated(nonsending) func wait() async throws(CancellationError) {
    try await state.wait(in: \.waiting, for: "a gate") { state, ticket, task in
      state.waiterArrived(ticket, task)
    }
  }

  /// Suspends the current task until the gate lets it pass, cancelled or not.
  ///
  /// For tests of work that ignores cancellation. If nobody opens the gate, the task never ends.
  public nonisolated(nonsending) func waitIgnoringCancellation() async {
    // Never throws: only a cancellation would end the wait by an error.
    try? await state.wait(in: \.waiting, for: "a gate", ignoringCancellation: true) { state, ticket, task in
      state.waiterArrived(ticket, task)
    }
  }

  /// Waits until at least `count` tasks wait at the gate.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before that.
  public nonisolated(nonsending) func waiters(atLeast count: Int) async throws(CancellationError) {
    try await state.wait(in: \.watching) { state, ticket, task in
      state.watching.suspended(ticket, waiter: task, for: count, isReached: count <= state.waiting.count)
    }
  }
}
