import Millrace
import MillraceTesting
import TestSupport
import Testing

/// A store whose draining thread is held between two turns: what watches `x` is due, and not served.
struct HeldDrain {
  let store: CornerStore
  private let isHeld = Gate()
  private let isFree = Signal()
  private let running = Gate()

  /// - Parameter afterAll: whether it is held after its last turn, so that no turn waits.
  init(afterAll: Bool = false) async throws {
    var options = StoreOptions()
    options.seams.now = { [start = Moment.now] in start }  // nothing is overdue
    store = CornerStore(on: .immediate, options: options)
    // The handler of the run that the change, or the next one, withdraws holds the thread.
    store.connect(
      when: { (afterAll ? $0.log.isEmpty : $0.x == 0) ? 1 : nil }, longRunning: true,
      run: { [isHeld, isFree, running] (_: Int, _) in
        await withTaskCancellationHandler {
          await running.waitIgnoringCancellation()
        } onCancel: {
          isHeld.open()
          isFree.wait()
        }
      })
    try await running.waiters(atLeast: 1)
    store.connect(while: \.isPositive) { [weak store] _ in store?.change { $0.log.append("next") } }
  }

  /// Changes `x` to 1, calls `body` beside the thread that is held, and lets go of that.
  func change<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (_ letGo: () -> Void) async throws -> Result
  ) async throws -> Result {
    async let drained: Void = onThread { [store] in store.change { $0.x = 1 } }
    try await isHeld.wait()
    let result = try await body { isFree.give() }
    running.open()
    await drained
    return result
  }
}
