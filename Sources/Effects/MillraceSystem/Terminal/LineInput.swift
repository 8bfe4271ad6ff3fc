import Dispatch
import Foundation
import Millrace

/// A descriptor from which successive runs read lines.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `lines`, which nobody has taken, `splitter` | the lock | with the effect |
/// | `isAtEnd`: the end was read, and not returned | the lock | when it is returned |
final class LineInput: Sendable {
  enum Next {
    /// The next line. It stays the next one until `taken()` is called.
    case line(LineSplitter.Line)
    case ended
    case stopped
  }

  private struct State {
    var splitter: LineSplitter
    /// The lines read and not taken, newest first.
    var lines: [LineSplitter.Line] = []
    var isAtEnd = false
  }

  private enum Look {
    case arrived
    case wouldBlock
    case failed(Int32)
  }

  let descriptor: Int32
  private let state: Lock<State>
  private let queue = DispatchQueue(label: "millrace.lines")

  init(_ descriptor: Int32, longest: Int) {
    self.descriptor = descriptor
    state = Lock(State(splitter: LineSplitter(longest: longest)))
  }

  /// Waits for the next line or the end.
  func next(_ readiness: Readiness) async throws(TerminalFailure) -> Next {
    while true {
      let next = state.withLock { state -> Next? in
        if let line = state.lines.last { return .line(line) }
        guard state.isAtEnd else { return nil }
        state.isAtEnd = false
        return .ended
      }
      if let next { return next }
      switch await look() {
      case .arrived: break
      case .wouldBlock:
        let isReady = await withWaitReason("a line of descriptor \(self.descriptor)") {
          await readiness.wait()
        }
        if !isReady { return .stopped }
      case .failed(let number): throw TerminalFailure(errorNumber: number)
      }
    }
  }

  /// Removes the line that `next` has returned.
  func taken() { state.withLock { _ = $0.lines.removeLast() } }

  /// Reads the available bytes on a queue of its own. Another process that shares the descriptor may read them between
  /// the check and the read, which then blocks. The descriptor must not be made non-blocking, since it would be so for
  /// the other process, too.
  private func look() async -> Look {
    await withUnsafeContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: read()) }
    }
  }

  private func read() -> Look {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 0) > 0 else { return .wouldBlock }  // or interrupted, and then polled again
    if ready.revents & Int16(POLLNVAL) != 0 { return .failed(EBADF) }
    var buffer = [UInt8](repeating: 0, count: 4 << 10)
    switch Descriptor(number: descriptor).read(into: &buffer) {
    case .bytes(let bytes):
      state.withLock { state in
        state.lines = state.splitter.bytesArrived(bytes).reversed() + state.lines
      }
      return .arrived
    case .ended:
      state.withLock { state in
        if let line = state.splitter.ended() { state.lines.insert(line, at: 0) }
        state.isAtEnd = true
      }
      return .arrived
    case .wouldBlock:
      return .wouldBlock
    case .failed(let number):
      return .failed(number)
    }
  }
}
