import Millrace

#if canImport(Darwin)
import Dispatch
#endif

/// Waits until a file descriptor can be read or written, without a thread of its own.
///
/// For one waiter at a time.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `isStopped` | the lock | never |
/// | `stop` of the wait in progress | the lock | with the wait |
final class Readiness: Sendable {
  enum Direction {
    case reading
    case writing
  }

  private struct State {
    var isStopped = false
    var stop: (@Sendable () -> Void)?
  }

  private let descriptor: Int32
  private let direction: Direction
  private let state = Lock(State())

  /// Makes a waiter. The descriptor must stay open during each wait.
  init(_ descriptor: Int32, _ direction: Direction) {
    self.descriptor = descriptor
    self.direction = direction
  }

  /// Whether all waits are stopped.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Returns as `wait` does; a cancellation of the task stops all waits.
  func waitUnlessCancelled() async -> Bool {
    await withTaskCancellationHandler {
      await wait()
    } onCancel: {
      stop()
    }
  }

  /// Returns `true` when the descriptor is ready or at its end, `false` if stopped. The descriptor may then be closed.
  /// Ignores a cancellation of the task, since the output of a process must be read until the process has ended.
  func wait() async -> Bool {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let stop = Self.begin(descriptor, direction) { [state] in
        state.withLock { $0.stop = nil }
        continuation.resume()
      }
      let isStopped = state.withLock { state in
        state.stop = stop
        return state.isStopped
      }
      if isStopped { stop() }
    }
    return !isStopped
  }

  /// Ends the wait in progress and all later ones. Callable from any thread.
  func stop() {
    let stop = state.withLock { state in
      state.isStopped = true
      return state.stop
    }
    stop?()
  }

  /// Calls `ended` once, when the system no longer watches the descriptor.
  ///
  /// - Returns: a closure that ends the wait; it does nothing after the end.
  private static func begin(
    _ descriptor: Int32, _ direction: Direction, ended: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    #if canImport(Darwin)
    let source: any DispatchSourceProtocol =
      switch direction {
      case .reading: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      case .writing: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
      }
    source.setCancelHandler(handler: ended)
    source.setEventHandler { [weak source] in source?.cancel() }
    source.activate()
    return { source.cancel() }
    #else
    let number = DescriptorPoll.shared.begin(descriptor, direction, ended: ended)
    return { DescriptorPoll.shared.stop(number) }
    #endif
  }

  #if canImport(Darwin)
  private static let queue = DispatchQueue(label: "millrace.readiness")
  #endif
}
