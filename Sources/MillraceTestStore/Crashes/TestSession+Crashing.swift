import Millrace

/// An end of the program in a rerun.
struct Crash<State: Sendable>: Sendable {
  /// The last action that was reduced before, in words.
  let action: String
  let before: State
  /// What was left of the state; `nil` if it could not be persisted.
  var after: State?
  var error: (any Error)?
}

extension TestSession {
  /// A step of the test has ended: the program may end here, and begin again.
  func stepEnded() {
    let count = steps.withLock { steps in
      steps += 1
      return steps
    }
    guard count == rerun?.crash else { return }
    let before = store.state
    var crash = Crash(action: book.withLock { $0.story.last } ?? "connect", before: before)
    do {
      let after = try persisting(before)
      crash.after = after
      begin(with: after)
    } catch {
      crash.error = error
    }
    self.crash.withLock { $0 = crash }
  }
}
