import Foundation
import Millrace

/// Leads one stream from the thread that reads it to the task that takes it, and has the reading wait meanwhile.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `buffer` | the lock | with the pipe |
/// | `taker` | the lock | when there is something to take |
final class HTTPStreamPipe: Sendable {
  private struct State {
    var buffer = HTTPStreamBuffer()
    var taker: CheckedContinuation<HTTPStreamBuffer.Item, Never>?
  }

  private let state = Lock(State())
  private let hold: @Sendable () -> Void
  private let release: @Sendable () -> Void

  /// Calls `hold` in the thread that reads when it has read enough for now, and `release` once for each such call.
  init(hold: @escaping @Sendable () -> Void, release: @escaping @Sendable () -> Void) {
    self.hold = hold
    self.release = release
  }

  func headArrived(_ head: HTTPStreamPart) {
    state.withLock { $0.buffer.headArrived(head) }
    wake()
  }

  /// Returns when there is room for more, if `hold` waits for that.
  func bodyArrived(_ part: Data) {
    let isFull = state.withLock { $0.buffer.bodyArrived(part) }
    wake()
    if isFull { hold() }
  }

  func ended(_ outcome: HTTPStreamBuffer.Outcome) {
    let releases = state.withLock { $0.buffer.ended(outcome) }
    wake()
    if releases { release() }
  }

  /// The next item, as soon as there is one. For one task at a time. It does not heed cancellation: whoever gives
  /// the exchange up ends it.
  func next() async -> HTTPStreamBuffer.Item {
    await withCheckedContinuation { taker in
      state.withLock { $0.taker = taker }
      wake()
    }
  }

  private func wake() {
    let taken = state.withLock {
      state -> (CheckedContinuation<HTTPStreamBuffer.Item, Never>, HTTPStreamBuffer.Item, Bool)? in
      guard let taker = state.taker, let (item, releases) = state.buffer.take() else { return nil }
      state.taker = nil
      return (taker, item, releases)
    }
    guard let (taker, item, releases) = taken else { return }
    taker.resume(returning: item)
    if releases { release() }
  }
}
