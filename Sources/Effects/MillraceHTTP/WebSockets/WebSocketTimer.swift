import Millrace
import MillraceEffects

/// Calls a closure once or repeatedly, until it is ended.
///
/// Its task is not a child of the run's task, since the time for closing also passes in a run that was cancelled.
struct WebSocketTimer {
  private let task: Task<Void, Never>?

  /// Without a `delay`, it never calls the closure.
  ///
  /// - Parameter reason: the reason of the run's wait meanwhile, unless another task of the run gives one.
  init(
    _ clock: any Clock<Duration>, after delay: Duration?, repeats: Bool = false, for reason: String? = nil,
    _ fire: @escaping @Sendable () -> Void
  ) {
    task = delay.map { delay in
      Task {
        while await clock.waits(delay, for: reason) {
          fire()
          guard repeats else { return }
        }
      }
    }
  }

  /// Ends the calls. Returns when its task has ended.
  func end() async {
    task?.cancel()
    await task?.value
  }
}
