import Millrace
import MillraceTesting

/// Bodies that all go on while the first of them is being stopped.
final class Crowd: Sendable {
  static let count = 2_000
  let waiting = Gate()
  private let returned = Recorder<Void>()
  private let firstStopped = Lock(false)
  private let allReturned = Signal()

  /// Holds up whoever stops the first of the bodies until nearly all others have gone on: these are not stopped yet.
  func wait() async {
    await withTaskCancellationHandler {
      await waiting.waitIgnoringCancellation()
    } onCancel: {
      let isFirst = firstStopped.withLock { isStopped in
        defer { isStopped = true }
        return !isStopped
      }
      if isFirst {
        waiting.open()
        allReturned.wait()
      }
    }
    returned.append(())
    if returned.count == Self.count - 8 { allReturned.give() }
  }

  func isWaiting() async throws { try await waiting.waiters(atLeast: Self.count) }
}
