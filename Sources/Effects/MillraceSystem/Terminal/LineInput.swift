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
      if try await look().get() { continue }
      let isReady = await withWaitReason("a line of descriptor \(self.descriptor)") {
        await readiness.waitUnlessCancelled()
      }
      if !isReady { return .stopped }
    }
  }

  /// Removes the line that `next` has returned.
  func taken() { state.withLock { _ = $0.lines.removeLast() } }

  /// Reads the available bytes on a queue of its own. Returns whether there were any, or the end.
  ///
  /// Another process that shares the descriptor may read them between the check and the read, which then blocks. The
  /// descriptor must not be made non-blocking, since it would be so for the other process, too.
  private func look() async -> Result<Bool, TerminalFailure> {
    await withUnsafeContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: read()) }
    }
  }

  private func read() -> Result<Bool, TerminalFailure> {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 0) > 0 else { return .success(false) }  // or interrupted, and then polled again
    if ready.revents & Int16(POLLNVAL) != 0 { return .failure(TerminalFailure(errorNumber: EBADF)) }
    var buffer = [UInt8](repeating: 0, count: 4 << 10)
    switch Descriptor(number: descriptor).read(into: &buffer) {
    case .success(0):
      state.withLock { state in
        if let line = state.splitter.ended() { state.lines.insert(line, at: 0) }
        state.isAtEnd = true
      }
    case .success(let count):
      state.withLock { state in
        state.lines = state.splitter.bytesArrived(buffer[..<count]).reversed() + state.lines
      }
    case .failure(let failure):
      return failure.isForNow ? .success(false) : .failure(TerminalFailure(errorNumber: failure.number))
    }
    return .success(true)
  }
}
