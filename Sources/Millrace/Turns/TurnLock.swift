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
///
/// Who sleeps with the gate shut holds up all others until it has woken, which takes longer than most turns. So whoever
/// finds the lock taken first looks again a few times, outside of the gate.
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

  /// The pause before the second look, which doubles with every further one, and how long it gets: together a little
  /// less than a thread takes to fall asleep and wake. A look takes the mutex's memory away from who is inside.
  private static let shortestPause = Duration.nanoseconds(250)
  private static let longestPause = Duration.microseconds(2)

  func lock() {
    if tryLock() { return }
    var pause = Self.shortestPause
    while pause <= Self.longestPause {
      let start = Moment.now
      while start.duration(to: .now) < pause {}
      if tryLock() { return }
      pause *= 2
    }
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
