#if !canImport(Darwin)
import CMillraceCurl
import Foundation
import Millrace

/// The commands to a thread that works with a set of libcurl's transfers. The thread exists while it has something to
/// do.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `waiting` | the lock | the thread takes them |
/// | `hasThread` | the lock | nothing is left to do |
/// | `count` | the lock | this object is released |
/// | `multi`, the set | the lock; only the thread uses it, except that others wake it | the thread closes it |
final class CurlCommands<Command: Sendable>: Sendable {
  private struct State {
    var waiting: [Command] = []
    var hasThread = false
    var count = 0
    var multi: OpaquePointer?
  }

  private let state = Lock(State())

  /// Whether the thread exists.
  var hasThread: Bool { state.withLock { $0.hasThread } }

  /// Returns a number that is used for nothing else.
  func nextNumber() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// Gives a command to the thread, and wakes it.
  ///
  /// - Parameters:
  ///   - needsThread: whether to begin a thread for it. Otherwise the command is dropped if there is no thread.
  ///   - run: the work of the thread.
  func post(_ command: Command, needsThread: Bool = true, _ run: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      if !state.hasThread, !needsThread { return false }
      state.waiting.append(command)
      defer { state.hasThread = true }
      // The lock is held, since the thread may otherwise free the set.
      if state.hasThread, let multi = state.multi { _ = millrace_curl_multi_wake(multi) }
      return !state.hasThread
    }
    guard begins else { return }
    let thread = Thread {
      millrace_curl_thread_began(CurlLibrary.threadName)
      run()
    }
    thread.start()
  }

  // MARK: The thread

  /// Whether commands wait. A command that was posted before the set existed has woken nothing.
  var areWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// The next commands; `nil` if the thread has nothing else to do and ends.
  func next(isIdle: Bool) -> [Command]? {
    state.withLock { state in
      if isIdle, state.waiting.isEmpty {
        state.hasThread = false
        return nil
      }
      return exchange(&state.waiting, with: [])
    }
  }

  /// The set; `nil` if there is none.
  var multi: OpaquePointer? { state.withLock { $0.multi } }

  /// Returns the set. Makes one if there is none; returns `nil` if libcurl has no memory or no descriptors.
  ///
  /// - Parameter made: called with a new set before any other thread can use it.
  func openMulti(_ made: (OpaquePointer) -> Void = { _ in }) -> OpaquePointer? {
    if let multi { return multi }
    guard let multi = millrace_curl_multi_new() else { return nil }
    made(multi)
    state.withLock { $0.multi = multi }
    return multi
  }

  /// Closes the set, and with it the descriptors of its connections.
  func closeMulti() {
    if let multi = state.withLock({ $0.multi.take() }) { millrace_curl_multi_free(multi) }
  }

  /// The reason why libcurl could make no set.
  static var shortage: HTTPFailure {
    millrace_descriptor_shortage() != 0 ? .noDescriptors : .other("libcurl has no memory")
  }
}
#endif
