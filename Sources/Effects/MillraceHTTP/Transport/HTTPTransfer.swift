import Foundation
import Millrace

/// Passes one answer from the thread that reads it to the task that takes it. A slow task slows the thread down.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `buffer` | the lock | the transfer ends |
/// | `taker` | the lock | there is something to take |
final class HTTPTransfer: Sendable {
  private struct State {
    var buffer = TransferBuffer()
    var taker: CheckedContinuation<TransferBuffer.Item, Never>?
  }

  private let state = Lock(State())
  private let resume: @Sendable () -> Void
  private let cancel: @Sendable (HTTPFailure) -> Void

  /// Makes a transfer. Calls the closures from any thread, without a lock.
  ///
  /// - Parameters:
  ///   - resume: delivers the bytes again that were refused with ``TransferBuffer/Verdict/later``.
  ///   - cancel: ends the reading because of a failure.
  init(
    resume: @escaping @Sendable () -> Void = {}, cancel: @escaping @Sendable (HTTPFailure) -> Void = { _ in }
  ) {
    (self.resume, self.cancel) = (resume, cancel)
  }

  // MARK: The thread that reads the answer

  func headArrived(_ head: HTTPHead) { change { $0.headArrived(head) } }

  func bodyArrived(_ part: UnsafeRawBufferPointer) -> TransferBuffer.Verdict {
    change { $0.bodyArrived(part) }
  }

  /// Keeps a part for which there is no room, if it cannot be delivered again.
  func keep(_ part: Data) { change { $0.keep(part) } }

  func ended(_ failure: HTTPFailure?) { change { $0.ended(failure) } }

  // MARK: The task that takes the answer

  /// Returns the next item as soon as there is one. For one task at a time. A cancellation does not end this wait: the
  /// code that gives the exchange up ends it.
  func next() async -> TransferBuffer.Item {
    await withCheckedContinuation { taker in
      state.withLock { $0.taker = taker }
      change { _ in }
    }
  }

  /// Ends the answer for its taker at once, and stops the reading.
  func abandon(_ failure: HTTPFailure) {
    if change({ $0.abandoned(failure) }) { cancel(failure) }
  }

  private func change<R>(_ body: (inout TransferBuffer) -> R) -> R {
    let (result, taker, taken) = state.withLock { state in
      let result = body(&state.buffer)
      let taken = state.taker == nil ? nil : state.buffer.take()
      defer { if taken != nil { state.taker = nil } }
      return (result, state.taker, taken)
    }
    guard let taken, let taker else { return result }
    if taken.resumes { resume() }
    taker.resume(returning: taken.item)
    return result
  }
}
