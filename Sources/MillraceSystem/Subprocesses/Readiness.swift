import Dispatch
import Millrace

/// Waits until a file descriptor can be read or written, without a thread of its own.
///
/// For one waiter at a time. Heeds no cancellation of its task, only `stop`: whoever ends a process still has to take
/// what it writes.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `isStopped` | the lock | never |
/// | `source` of the wait in progress | the lock | with the wait |
final class Readiness: Sendable {
  enum Direction {
    case reading
    case writing
  }

  private struct State {
    var isStopped = false
    var source: (any DispatchSourceProtocol)?
  }

  private let descriptor: Int32
  private let direction: Direction
  private let state = Lock(State())
  private static let queue = DispatchQueue(label: "millrace.readiness")

  /// The descriptor must stay open while anybody waits.
  init(_ descriptor: Int32, _ direction: Direction) {
    self.descriptor = descriptor
    self.direction = direction
  }

  /// Whether nobody is to wait any more.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Returns when the descriptor is ready, or at an end: `true`. `false` if stopped.
  func wait() async -> Bool {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let source: any DispatchSourceProtocol =
        switch direction {
        case .reading: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        case .writing: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Self.queue)
        }
      // Called once, when the system looks at the descriptor no more: then it may be closed.
      source.setCancelHandler { [state] in
        state.withLock { $0.source = nil }
        continuation.resume()
      }
      source.setEventHandler { [state] in state.withLock { $0.source }?.cancel() }
      let isStopped = state.withLock { state in
        state.source = source
        return state.isStopped
      }
      source.activate()
      if isStopped { source.cancel() }
    }
    return !isStopped
  }

  /// Ends the wait in progress and all to come. Callable from anywhere.
  func stop() {
    let source = state.withLock { state in
      state.isStopped = true
      return state.source
    }
    source?.cancel()
  }
}
