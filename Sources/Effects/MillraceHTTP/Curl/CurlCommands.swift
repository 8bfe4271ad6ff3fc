#if !canImport(Darwin)
import CMillraceCurl
import Millrace

/// The commands to a thread that works with a set of libcurl's transfers. The thread is there while there is something to do.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `waiting` | the lock | when the thread has taken them |
/// | `hasThread` | the lock | when nothing is left to do |
/// | `count` | the lock | with this object |
/// | `multi`, the set | the lock; what it does but to be woken belongs to the thread | when the thread closes it |
final class CurlCommands<Command: Sendable>: Sendable {
  private struct State {
    var waiting: [Command] = []
    var hasThread = false
    var count = 0
    var multi: OpaquePointer?
  }

  private let state = Lock(State())

  /// Whether the thread is there.
  var hasThread: Bool { state.withLock { $0.hasThread } }

  /// A number that nothing else has.
  func nextNumber() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  /// Gives a command to the thread, which is woken.
  ///
  /// - Parameters:
  ///   - needsThread: whether a thread begins for it. Without, the command is dropped where there is no thread.
  ///   - run: the work of the thread.
  func post(_ command: Command, needsThread: Bool = true, _ run: @escaping @Sendable () -> Void) {
    let begins = state.withLock { state in
      if !state.hasThread, !needsThread { return false }
      state.waiting.append(command)
      defer { state.hasThread = true }
      // Under the lock, since the thread may free it otherwise.
      if state.hasThread, let multi = state.multi { _ = millrace_curl_multi_wake(multi) }
      return !state.hasThread
    }
    if begins { CurlThread.begin(run) }
  }

  // MARK: The thread

  /// Whether commands wait. One that came before the set was there has woken nobody.
  var areWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// The next commands; `nil` if the thread has nothing else to do and ends.
  func next(isIdle: Bool) -> [Command]? {
    state.withLock { state in
      if isIdle, state.waiting.isEmpty {
        state.hasThread = false
        return nil
      }
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// The set, if there is one.
  var multi: OpaquePointer? { state.withLock { $0.multi } }

  /// The set, made by libcurl if there is none; `nil` if libcurl has no memory or no descriptors.
  ///
  /// - Parameter made: called with a new set, before anyone else knows it.
  func openMulti(_ made: (OpaquePointer) -> Void = { _ in }) -> OpaquePointer? {
    if let multi { return multi }
    guard let multi = millrace_curl_multi_new() else { return nil }
    made(multi)
    state.withLock { $0.multi = multi }
    return multi
  }

  /// Closes the set, and so the descriptors of its connections.
  func closeMulti() {
    let multi = state.withLock { state in
      defer { state.multi = nil }
      return state.multi
    }
    if let multi { millrace_curl_multi_free(multi) }
  }

  /// The reason for which there is no set.
  static var shortage: HTTPFailure {
    millrace_descriptor_shortage() != 0 ? .noDescriptors : .other("libcurl has no memory")
  }
}
#endif
