#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// The locks of an engine and what they guard, in one allocation. Reached by pointer, since a stored property of a
/// class is checked for exclusive access at every use.
///
/// The turn's lock lies away from the mailbox's: those who send and the one who drains are to share no cache line but
/// that of the mailbox.
struct EngineMemory {
  private struct Contents {
    var gate = pthread_mutex_t()
    var turn = pthread_mutex_t()
    var progress = TurnProgress()
    var mailMutex = pthread_mutex_t()
    var mailbox = Mailbox()
  }

  private let contents: UnsafeMutablePointer<Contents>

  init() {
    contents = .allocate(capacity: 1)
    contents.initialize(to: Contents())
    turnLock.initialize()
    mail.initialize()
  }

  /// Ends its life. A struct has no `deinit` of its own, so its owner calls this.
  func destroy() {
    turnLock.destroy()
    mail.destroy()
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  var turnLock: TurnLock { TurnLock(gate: address(of: \.gate), turn: address(of: \.turn)) }
  var mail: MailLock { MailLock(mutex: address(of: \.mailMutex), mailbox: address(of: \.mailbox)) }
  var progress: UnsafeMutablePointer<TurnProgress> { address(of: \.progress) }

  @inline(__always)
  private func address<Value>(of field: WritableKeyPath<Contents, Value>) -> UnsafeMutablePointer<Value> {
    guard let address = contents.pointer(to: field) else {
      preconditionFailure("a stored property has an address")
    }
    return address
  }
}

/// The mutex around a mailbox.
struct MailLock: @unchecked Sendable {  // every access to the mailbox is made with the mutex held
  fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>
  fileprivate let mailbox: UnsafeMutablePointer<Mailbox>

  /// Calls `body` with the mailbox, while the mutex is held. Not recursive: `body` must call nothing of the user's.
  func withLock<Result>(_ body: (inout Mailbox) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&mailbox.pointee)
  }

  fileprivate func initialize() {
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "pthread_mutex_init failed with \(status)")
  }

  fileprivate func destroy() { pthread_mutex_destroy(mutex) }
}
