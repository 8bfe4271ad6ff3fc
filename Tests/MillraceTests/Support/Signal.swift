import Dispatch

/// One thread tells another that something has happened.
///
/// Blocks the thread that waits, unlike a gate: for what the runtime calls and for threads of a test's own. A
/// wait that should succeed and never would ends after a while, so that a broken promise is a failed expectation and
/// no test that hangs.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let patience: Duration

  /// - Parameter patience: longer for what is held up than for the wait that shows that it holds up nothing.
  init(patience: Duration = .seconds(500)) { self.patience = patience }

  func give() { semaphore.signal() }

  /// - Returns: `false` if it was not given.
  @discardableResult func wait() -> Bool {
    semaphore.wait(timeout: .now() + .nanoseconds(Int(patience / .nanoseconds(1)))) == .success
  }
}
