import Millrace
import MillraceEffects

/// Calls a closure once or again and again, until it is ended.
///
/// Its task is not a child of the run's: the time for closing also passes in a run that was cancelled.
struct WebSocketTimer {
  private let task: Task<Void, Never>?

  /// Without `delay` it never calls.
  ///
  /// - Parameter reason: what the run waits for meanwhile, unless another task of it says so.
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

  /// Calls no more. Returns once its task has ended.
  func end() async {
    task?.cancel()
    await task?.value
  }
}
