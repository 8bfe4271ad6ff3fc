import MillraceDescriptors

/// A mutex around a value, in one allocation.
///
/// The mutex is a `pthread_mutex_t` in the tail of a managed buffer. `Synchronization.Mutex` is invisible to
/// ThreadSanitizer on Linux, and needs newer Apple systems than this package does.
package struct Lock<Value>: @unchecked Sendable {  // every access to the value is made with the mutex held
  private final class Buffer: ManagedBuffer<Value, pthread_mutex_t> {
    deinit {
      _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
  }

  fileprivate let buffer: ManagedBuffer<Value, pthread_mutex_t>

  package init(_ value: Value) {
    buffer = Buffer.create(minimumCapacity: 1) { buffer in
      buffer.withUnsafeMutablePointerToElements { mutex in
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "pthread_mutex_init failed with \(status)")
      }
      return value
    }
  }

  /// Calls `body` with the value while the mutex is held. Not recursive: `body` must not call the user's code.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try buffer.withUnsafeMutablePointers { (value, mutex) throws(Failure) in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
}

extension Lock<Void> {
  func lock() { _ = buffer.withUnsafeMutablePointerToElements { pthread_mutex_lock($0) } }
  func unlock() { _ = buffer.withUnsafeMutablePointerToElements { pthread_mutex_unlock($0) } }
}
