#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
@preconcurrency import Glibc
#elseif canImport(Musl)
@preconcurrency import Musl
#endif

/// Marks on the current thread that it is one of the reducer queue and, with nothing left to reduce, executes the opening
/// of a run that was decided: what the run's body does until it first waits for something else than the store.
///
/// Threads that wake each other are most of what a round trip would cost. In its opening a run is on a thread of the
/// reducer queue already, so the turn of what it sends is made by that thread, and so is the opening of the next run
/// that comes of it.
struct Opening {
  private let run: Run
  private var sends = 0

  /// What a run sends in its opening before it suspends like any other, so that one that sends without end lets others
  /// have the thread.
  private static let sendLimit = 8

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "pthread_key_create failed with \(status)")
    return key
  }()

  /// Executes the opening of a run on the current thread. No lock may be held.
  static func perform(_ start: Outcome.Start) {
    var opening = Opening(run: start.run)
    withUnsafeMutablePointer(to: &opening) { pointer in
      _ = pthread_setspecific(key, UnsafeRawPointer(pointer))
      start.beginHere()
      _ = pthread_setspecific(key, nil)
    }
  }

  /// Whether the current thread may make the turn of what `run` is about to send; counts what it sends.
  static func makesTurn(of run: Run) -> Bool {
    guard let pointer = pthread_getspecific(key) else { return false }
    let opening = pointer.assumingMemoryBound(to: Opening.self)
    // A task that the body begins on the spot executes on this thread as well, but is not the one that opens.
    guard opening.pointee.run === run, run.isCurrentTask else { return false }
    opening.pointee.sends += 1
    return opening.pointee.sends <= sendLimit
  }
}
