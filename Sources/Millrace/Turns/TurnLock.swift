#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// The mutex that owns the state and everything decided with it, held for one turn at a time.
///
/// A pthread mutex is not fair: a drain that unlocks and locks again at once would starve whoever waits to read
/// the state. So everybody first passes a gate, which a waiting reader keeps shut:
///
///     reader                      drain
///     lock gate
///     lock turn … waits           unlock turn
///                                 lock gate … waits
///     has the turn, unlocks gate
///                                 lock turn … waits until the reader is done
struct TurnLock: @unchecked Sendable {  // immutable pointers to mutexes
  let gate: UnsafeMutablePointer<pthread_mutex_t>
  let turn: UnsafeMutablePointer<pthread_mutex_t>

  func initialize() {
    for mutex in [gate, turn] {
      let status = pthread_mutex_init(mutex, nil)
      precondition(status == 0, "pthread_mutex_init failed with \(status)")
    }
  }

  func destroy() {
    pthread_mutex_destroy(turn)
    pthread_mutex_destroy(gate)
  }

  func lock() {
    pthread_mutex_lock(gate)
    pthread_mutex_lock(turn)
    pthread_mutex_unlock(gate)
  }

  /// Locks if nobody holds the lock or waits for it.
  func tryLock() -> Bool {
    guard pthread_mutex_trylock(gate) == 0 else { return false }
    defer { pthread_mutex_unlock(gate) }
    return pthread_mutex_trylock(turn) == 0
  }

  func unlock() {
    pthread_mutex_unlock(turn)
  }
}
