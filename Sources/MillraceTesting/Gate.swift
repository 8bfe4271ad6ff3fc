import Millrace

/// A gate at which a test holds up the code under test until it lets it go on.
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
/// Those who wait are resumed in order of arrival. All members can be used from any thread. Each costs time in
/// proportion to the number of those who wait.
public final class Gate: Sendable {
  let state: Lock<GateState<SuspendedTask>>  // all that changes

  /// Makes a gate, closed unless told otherwise.
  public init(isOpen: Bool = false) {
    state = Lock(GateState(isOpen: isOpen))
  }

  /// Whether everybody goes through without waiting.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// How many wait at the gate.
  public var waiterCount: Int { state.withLock { $0.waiting.count } }

  /// Lets everybody through, from now on until the gate is closed.
  public func open() {
    state.withLock { $0.opened() }.perform()
  }

  /// Holds up everybody who comes from now on. Takes back what ``pass(_:)`` has granted and nobody has used.
  public func close() {
    state.withLock { $0.closed() }
  }

  /// Lets `count` through and stays closed: those who wait longest, and if fewer wait, those who come next.
  ///
  /// Does nothing while the gate is open.
  ///
  /// - Precondition: `count` is not negative.
  public func pass(_ count: Int = 1) {
    precondition(count >= 0, "a gate cannot let \(count) through")
    state.withLock { $0.passGranted(to: count) }.perform()
  }

  /// Suspends the current task until the gate lets it through.
  ///
  /// A task that is cancelled while it waits uses up no pass. Once the gate has let it through, cancellation
  /// comes too late and this returns as usual.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled while it waits; also if it was cancelled
  ///   before the call, even at an open gate.
  public nonisolated(nonsending) func wait() async throws(CancellationError) {
    try await state.wait(in: \.waiting) { state, ticket, task in
      state.waiterArrived(ticket, task)
    }
  }

  /// Suspends the current task until the gate lets it through, cancelled or not.
  ///
  /// For tests in which something fails to heed its cancellation. A task that waits so at a gate that nobody
  /// opens never ends.
  public nonisolated(nonsending) func waitIgnoringCancellation() async {
    await state.waitIgnoringCancellation(in: \.waiting) { state, ticket, task in
      state.waiterArrived(ticket, task)
    }
  }

  /// Returns as soon as `count` tasks or more wait at the gate, at once if they do already.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before that.
  public nonisolated(nonsending) func waiters(atLeast count: Int) async throws(CancellationError) {
    try await state.wait(in: \.watching) { state, ticket, task in
      state.watcherArrived(ticket, task, for: count)
    }
  }
}
