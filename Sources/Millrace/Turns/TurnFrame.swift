#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// Marks on the current thread whose turn it is executing, so that a call from inside a reducer or a selector
/// can be told from a call from elsewhere.
///
/// Frames form a list, since a turn of one immediate store can make a turn of another.
struct TurnFrame {
  private let engine: UnsafeRawPointer
  private let outer: UnsafeMutableRawPointer?

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "pthread_key_create failed with \(status)")
    return key
  }()

  /// Calls `body` as a part of a turn of `engine`.
  static func with(_ engine: Engine, _ body: () -> Void) {
    let outer = pthread_getspecific(key)
    var frame = TurnFrame(engine: Unmanaged.passUnretained(engine).toOpaque(), outer: outer)
    withUnsafeMutablePointer(to: &frame) { pointer in
      _ = pthread_setspecific(key, UnsafeRawPointer(pointer))
      body()
      _ = pthread_setspecific(key, outer.map { UnsafeRawPointer($0) })
    }
  }

  /// Whether the current thread is inside a turn of `engine`.
  static func isInside(_ engine: Engine) -> Bool {
    let sought = Unmanaged.passUnretained(engine).toOpaque()
    var next = pthread_getspecific(key)
    while let pointer = next {
      let frame = pointer.assumingMemoryBound(to: TurnFrame.self).pointee
      if frame.engine == UnsafeRawPointer(sought) { return true }
      next = frame.outer
    }
    return false
  }
}
