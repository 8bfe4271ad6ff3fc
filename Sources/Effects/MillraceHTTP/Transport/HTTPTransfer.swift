import Foundation
import Millrace

/// Leads one answer from the thread that reads it to the task that takes it, which slows the first down.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `buffer` | the lock | with the transfer |
/// | `taker` | the lock | when there is something to take |
final class HTTPTransfer: Sendable {
  private struct State {
    var buffer = TransferBuffer()
    var taker: CheckedContinuation<TransferBuffer.Item, Never>?
  }

  private let state = Lock(State())

  private let wire: any HTTPWire

  /// `wire` is asked to resume and to cancel.
  init(wire: any HTTPWire) { self.wire = wire }

  // MARK: The reading side

  func headArrived(_ head: HTTPHead) { change { $0.headArrived(head) } }

  func bodyArrived(_ part: UnsafeRawBufferPointer) -> TransferBuffer.Verdict {
    change { $0.bodyArrived(part) }
  }

  /// Keeps a part for which there was no room, where it cannot be brought again.
  func keep(_ part: Data) { change { $0.keep(part) } }

  func ended(_ failure: HTTPFailure?) { change { $0.ended(failure) } }

  // MARK: The taking side

  /// The next item, as soon as there is one. For one task at a time. It does not heed cancellation: whoever gives the
  /// exchange up ends it.
  func next() async -> TransferBuffer.Item {
    await withCheckedContinuation { taker in
      state.withLock { $0.taker = taker }
      change { _ in }
    }
  }

  /// Ends the answer for its taker at once, and has the wire read no more.
  func abandon(_ failure: HTTPFailure) {
    if change({ $0.abandoned(failure) }) { wire.cancel(because: failure) }
  }

  private func change<R>(_ body: (inout TransferBuffer) -> R) -> R {
    let (result, taker, taken) = state.withLock { state in
      let result = body(&state.buffer)
      let taken = state.taker == nil ? nil : state.buffer.take()
      defer { if taken != nil { state.taker = nil } }
      return (result, state.taker, taken)
    }
    guard let taken, let taker else { return result }
    if taken.resumes { wire.resume() }
    taker.resume(returning: taken.item)
    return result
  }
}
