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
  /// The task that executes the body, once it has begun.
  private var task: UnsafeCurrentTask?
  private var sends = 0
  /// The run to begin after this one, and since when it is ready.
  private var next: (start: Outcome.Start, instant: ContinuousClock.Instant)?

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
  ///
  /// - Returns: the run to begin next.
  static func perform(_ start: Outcome.Start) -> Outcome.Start? {
    var opening = Opening(run: start.run)
    withUnsafeMutablePointer(to: &opening) { pointer in
      _ = pthread_setspecific(key, UnsafeRawPointer(pointer))
      start.beginHere()
      _ = pthread_setspecific(key, nil)
    }
    guard let next = opening.next else { return nil }
    if ContinuousClock.now - next.instant > Patience.limit {
      start.run.engine?.locked { _ in start.run.place.patience.wasTried() }
    }
    return next.start
  }

  /// The body has begun, in the task that calls this.
  static func began(_ run: Run, in task: UnsafeCurrentTask?) {
    current(of: run)?.pointee.task = task
  }

  /// Whether the current thread may make the turn of what `run` is about to send; counts what it sends.
  static func makesTurn(of run: Run) -> Bool {
    // A task that the body begins on the spot executes on this thread as well, but is not the one that opens.
    guard let opening = current(of: run), withUnsafeCurrentTask(body: { $0 == opening.pointee.task }) else {
      return false
    }
    opening.pointee.sends += 1
    return opening.pointee.sends <= sendLimit
  }

  /// Leaves `start` to this thread, which begins it after the opening of `run`.
  ///
  /// Only for a body that was stopped: whatever it still does is in vain, so it will end soon. Where one has not, no
  /// other of that connection is trusted to.
  ///
  /// - Returns: whether it does.
  static func leaves(_ start: Outcome.Start, after run: Run) -> Bool {
    guard let opening = current(of: run), opening.pointee.next == nil else { return false }
    opening.pointee.next = (start, .now)
    return true
  }

  private static func current(of run: Run) -> UnsafeMutablePointer<Opening>? {
    guard let pointer = pthread_getspecific(key) else { return nil }
    let opening = pointer.assumingMemoryBound(to: Opening.self)
    return opening.pointee.run === run ? opening : nil
  }
}
