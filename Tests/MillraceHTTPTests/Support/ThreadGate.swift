import Foundation

/// A gate at which threads wait, such as that of a server's script. Once open it stays open.
final class ThreadGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Blocks the thread until the gate is open.
  func wait() {
    semaphore.wait()
    semaphore.signal()
  }

  func open() { semaphore.signal() }
}
