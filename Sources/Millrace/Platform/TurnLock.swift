#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// The lock that owns a store's state and everything that is decided about it, held for a few turns at a time.
///
/// A pthread mutex is not fair: a drain that unlocks and locks again at once would starve a reader of the state.
/// So every thread first passes a gate, which a waiting reader keeps shut:
///
///     reader                      drain
///     lock gate
///     lock turn … waits           unlock turn
///                                 lock gate … waits
///     has the turn, unlocks gate
///                                 lock turn … waits until the reader is done
final class TurnLock: @unchecked Sendable {  // immutable pointers to mutexes
  private let mutexes = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 2)
  private var gate: UnsafeMutablePointer<pthread_mutex_t> { mutexes }
  private var turn: UnsafeMutablePointer<pthread_mutex_t> { mutexes + 1 }

  init() {
    for index in 0..<2 {
      (mutexes + index).initialize(to: pthread_mutex_t())
      let status = pthread_mutex_init(mutexes + index, nil)
      precondition(status == 0, "pthread_mutex_init failed with \(status)")
    }
  }

  deinit {
    for index in 0..<2 { pthread_mutex_destroy(mutexes + index) }
    mutexes.deallocate()
  }

  /// Waits for the lock, and calls `body` with it held.
  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(gate)
    pthread_mutex_lock(turn)
    pthread_mutex_unlock(gate)
    defer { pthread_mutex_unlock(turn) }
    return body()
  }
}
