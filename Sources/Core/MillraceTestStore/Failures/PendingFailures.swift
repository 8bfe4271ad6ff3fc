import Millrace

/// The failures passed to the recording tasks and not recorded yet.
final class PendingFailures: Sendable {
  private let state = Lock(PendingFailuresState<CheckedContinuation<Void, Never>>())  // all that changes

  func sent() -> Int { state.withLock { $0.sent() } }

  func recorded(_ ticket: Int) {
    for waiter in state.withLock({ $0.recorded(ticket) }) { waiter.resume() }
  }

  /// Waits until all failures reported before the call are recorded.
  func wait() async {
    await withCheckedContinuation { waiter in
      if state.withLock({ $0.waited(waiter) }) { waiter.resume() }
    }
  }
}
