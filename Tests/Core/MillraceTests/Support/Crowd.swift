import Millrace
import MillraceTesting
import TestSupport
import Testing

/// Bodies that all go on while the first of them is being stopped.
final class Crowd: Sendable {
  static let count = 2_000
  /// Opened when the first is being stopped, for other bodies that are to go on then.
  let continues = Gate()
  private let gates = Recorder<Gate>()
  private let returned = Lock(0)
  private let firstStopped = Once()
  private let allReturned = Signal()

  /// Holds up whoever stops the first of the bodies until nearly all others have gone on: these are not stopped yet.
  ///
  /// The first goes on after them: a task that is resumed while it is being cancelled holds up a thread of the pool.
  func wait() async {
    let gate = Gate()
    await withTaskCancellationHandler {
      gates.append(gate)
      await gate.waitIgnoringCancellation()
    } onCancel: {
      if firstStopped.isFirst {
        for other in gates.values where other !== gate { other.open() }
        continues.open()
        allReturned.wait()
        gate.open()
      }
    }
    // At once, since two that count and then look can both be too late.
    let isEnough = returned.withLock { count in
      count += 1
      return count == Self.count - 8
    }
    if isEnough { allReturned.give() }
  }

  func isWaiting() async throws { try await gates.values(atLeast: Self.count) }
}
