import Millrace

/// How a wait ended.
enum WaitOutcome: Sendable, Hashable {
  case reached
  case cancelled
}

/// An ended wait and its outcome. State machines return it, and their shells resume the task.
struct Resumption<Waiter> {
  let waiter: Waiter
  let outcome: WaitOutcome

  init(_ waiter: Waiter, _ outcome: WaitOutcome) {
    self.waiter = waiter
    self.outcome = outcome
  }
}

extension Resumption: Equatable where Waiter: Equatable {}
extension Resumption: Sendable where Waiter: Sendable {}

/// A suspended task, as kept by the shells.
struct SuspendedTask: Sendable {
  let continuation: CheckedContinuation<WaitOutcome, Never>
  /// Marks the run or update of the task as waiting for the test.
  let wait: Wait?
}

extension Resumption where Waiter == SuspendedTask {
  /// Resumes the task. Call it under no lock.
  func perform() {
    // Ends the mark first: otherwise a store could count the task as waiting, settle, and not wait for its work.
    waiter.wait?.end()
    waiter.continuation.resume(returning: outcome)
  }
}

extension Sequence<Resumption<SuspendedTask>> {
  /// Resumes the tasks in order. Call it under no lock.
  func perform() {
    for resumption in self { resumption.perform() }
  }
}
