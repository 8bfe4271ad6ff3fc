import Dispatch
import Testing

/// One thread tells another that something has happened.
///
/// Blocks the thread that waits, unlike a gate: for what the runtime calls and for threads of a test's own. On a thread of the
/// pool, only in a test that ``BlocksThreads``. A wait that should succeed and never would ends after a while, so that a broken
/// promise is a failed expectation and no test that hangs.
package final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let patience: Duration

  /// - Parameter patience: longer for what is held up than for the wait that shows that it holds up nothing.
  package init(patience: Duration = .seconds(500)) { self.patience = patience }

  package func give() { semaphore.signal() }

  /// - Returns: `false` if it was not given.
  @discardableResult package func wait(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
    BlocksThreads.expectTurn(sourceLocation)
    return semaphore.wait(timeout: .now() + .nanoseconds(Int(patience / .nanoseconds(1)))) == .success
  }
}
