import TestSupport
import Testing

/// A gate at which threads wait, such as that of a server's script. Once open it stays open.
final class ThreadGate: Sendable {
  private let signal = Signal(patience: .seconds(600))

  /// Blocks the thread until the gate is open.
  func wait() {
    signal.wait()
    signal.give()
  }

  func open() { signal.give() }
}
