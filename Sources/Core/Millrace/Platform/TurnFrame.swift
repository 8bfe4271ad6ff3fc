import MillraceDescriptors

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
