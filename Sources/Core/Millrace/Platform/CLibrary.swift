// All that calls the C library: locks, storage of a thread, comparison of memory, the environment.

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#elseif canImport(Android)
@preconcurrency import Android
#elseif canImport(WASILibc)
@preconcurrency import WASILibc
#endif

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

/// Records on the current thread which stores' turn locks it holds. So a call from inside a turn can be distinguished
/// from other calls.
///
/// Frames form a list, since a turn of one immediate store can make a turn of another.
struct TurnFrame {
  private let owner: ObjectIdentifier
  private let outer: UnsafeMutableRawPointer?

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "pthread_key_create failed with \(status)")
    return key
  }()

  /// Calls `body` as a part of a turn of `owner`.
  static func with<Result>(_ owner: AnyObject, _ body: () -> Result) -> Result {
    let outer = pthread_getspecific(key)
    var frame = TurnFrame(owner: ObjectIdentifier(owner), outer: outer)
    return withUnsafeMutablePointer(to: &frame) { pointer in  // lives as long as the call
      _ = pthread_setspecific(key, pointer)
      defer { _ = pthread_setspecific(key, outer) }
      return body()
    }
  }

  /// Whether the current thread is inside a turn of any store.
  static var isInsideAny: Bool { pthread_getspecific(key) != nil }

  /// Whether the current thread is inside a turn of `owner`.
  static func isInside(_ owner: AnyObject) -> Bool {
    let sought = ObjectIdentifier(owner)
    var next = pthread_getspecific(key)
    while let pointer = next {
      let frame = pointer.assumingMemoryBound(to: TurnFrame.self).pointee  // set by `with`
      if frame.owner == sought { return true }
      next = frame.outer
    }
    return false
  }
}

extension Address {
  @inline(__always)
  func hasBytes(of other: Address, count: Int) -> Bool {
    if count == 8 {
      return pointer.loadUnaligned(as: UInt64.self) == other.pointer.loadUnaligned(as: UInt64.self)
    }
    return memcmp(pointer, other.pointer, count) == 0
  }
}

enum ProcessEnvironment {
  /// The number in an environment variable; `nil` if there is none.
  static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }  // a C string, copied at once
  }
}
